// An exec host of a folder, as `spillway exec-host` runs it.
import { join } from "node:path";
import { startDaemon } from "../dist/spillway/exec/index.js";

const root = process.argv[2] ?? "";
const socketPath = join(root, "socket", "s");
const daemon = await startDaemon({ root, socketPath, cwd: root, environment: process.env, idleExitMs: 60_000 });
process.once("SIGTERM", () => void daemon?.close());
await daemon?.ended;

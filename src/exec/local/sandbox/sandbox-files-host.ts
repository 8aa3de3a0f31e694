import { serveStdio } from "../../host/stdio.js";

// The program that does an env's file operations inside of its sandbox. It ends with its input.

const [cwd = "/"] = process.argv.slice(2);
await serveStdio({ cwd, environment: {}, spillRoot: "/tmp" }, process);

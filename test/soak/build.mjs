// Bundles the programs of the soak from their sources.
import { fileURLToPath } from "node:url";
import { bundlePrograms } from "../support/bundle.mjs";

const source = (name) => fileURLToPath(new URL(`${name}.ts`, import.meta.url));

export async function buildPrograms() {
  const { folder, program } = await bundlePrograms({
    soak: source("main"),
    life: source("life"),
    viewer: source("viewer"),
  });
  const cli = fileURLToPath(new URL("../../dist/bin/spillway.js", import.meta.url));
  return { folder, main: program("soak"), programs: { life: program("life"), viewer: program("viewer"), cli } };
}

import { Command } from "commander";
import { parsing } from "../options/parsing.js";
import { parsePort } from "../options/port.js";
import type { CommandDefinition } from "./setup.js";

const DETAILS = `
Listens on loopback alone. The address holds a token, without which nothing is told;
the second one can also stop what runs, approve calls, and say something to a model.
From another machine: ssh -L.

Examples:
  spillway serve
  spillway serve --port 4711 --json
`;

/** `spillway serve` */
export const serveCommand: CommandDefinition = (setup) =>
  new Command("serve")
    .description("show all sessions in a browser, those that run live")
    .option("--port <number>", "the port; any that is free by default", parsing(parsePort))
    .option("--json", "print the address and its tokens as one JSON object")
    .addHelpText("after", DETAILS)
    .action(async (options: { readonly port?: number; readonly json?: true }) => {
      const { serve } = await import("../serve/serve.js");
      setup.finish(await serve({ port: options.port ?? 0, asJson: options.json === true }, setup.context));
    });

import type { CliContext } from "../context.js";
import { EXIT_OK, exitCodeOfSignal } from "../exit-codes.js";
import { describeFailure } from "../failure.js";
import { createTokens } from "../host/tokens.js";
import { describeAddresses } from "../host/addresses.js";
import { openStore } from "../session/store.js";
import { nextSignal } from "../signals/next-signal.js";
import { openTextOutput } from "../terminal/text-output.js";
import { readPageFiles } from "../page-files.js";
import { createWireServer } from "../../wire/index.js";
import { createStoreSource } from "./store-source.js";

export interface ServeRequest {
  /** 0 for any that is free. */
  readonly port: number;
  readonly asJson: boolean;
}

/** Serves all sessions on loopback until a signal ends it, and gives the exit code. */
export async function serve({ port, asJson }: ServeRequest, context: CliContext): Promise<number> {
  const page = readPageFiles();
  if (page === undefined)
    context.stderr.write("spillway: the page was not built, so browsers see nothing: npm run build\n");
  const output = openTextOutput(context.stdout);
  const tokens = createTokens();
  const server = createWireServer({
    source: createStoreSource(openStore(context)),
    tokens,
    page,
    onFault: (error) =>
      context.stderr.write(`spillway: a viewer could not be answered: ${describeFailure(error).message}\n`),
  });
  const { origin } = await server.listenTcp({ port });
  if (asJson) output.write(`${JSON.stringify({ type: "serving", origin, tokens })}\n`);
  else output.write(describeAddresses(origin, tokens));
  await output.idle();
  const signal = await nextSignal(context);
  await server.close();
  return signal === "SIGINT" ? EXIT_OK : exitCodeOfSignal(signal);
}

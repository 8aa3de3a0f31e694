import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { ServedLane, tokens } from "../../../src/wire/fixtures/served-lane.js";
import { createWireServer } from "../../../src/wire/index.js";
import type { WirePage, WireServer, WireSource } from "../../../src/wire/index.js";

/** A served lane, and a page of Chromium that shows it. */
export interface ViewerStage extends AsyncDisposable {
  /** The lane that is served now. */
  readonly source: ServedLane;
  readonly page: Page;
  readonly origin: string;
  readonly port: number;
  readonly server: WireServer;
  /** What must stay empty: violations of the content policy, errors of the page, requests to anyone else. */
  readonly faults: readonly string[];
  /** Opens the page with the token in its address. */
  open(token?: string): Promise<void>;
  /** Ends the server with all its connections, as a process that dies would. */
  killHost(): Promise<void>;
  /** Begins a server anew at the same address; with the lane as the one before left it. */
  restartHost(): Promise<void>;
  /** Plays an operation with one running call, and gives its id. */
  startCall(command?: string): string;
}

export interface StageOptions {
  readonly browser: Browser;
  readonly files: WirePage;
  readonly source?: (lane: ServedLane) => WireSource;
  readonly context?: BrowserContextOptions;
  readonly heartbeatMs?: number;
}

export async function openViewer({
  browser,
  files,
  context: settings,
  source: wrap,
  heartbeatMs,
}: StageOptions): Promise<ViewerStage> {
  let source = new ServedLane();
  let server: WireServer;
  let port = 0;
  const serve = async (): Promise<string> => {
    server = createWireServer({ source: wrap?.(source) ?? source, tokens, page: files, heartbeatMs });
    const address = await server.listenTcp({ port });
    port = address.port;
    return address.origin;
  };
  const origin = await serve();
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...settings });
  const page = await context.newPage();
  const faults = await watchFaults(context, page, origin);
  return {
    page,
    origin,
    port,
    faults,
    get server() {
      return server;
    },
    get source() {
      return source;
    },
    async open(token = tokens.view) {
      await page.goto(`${origin}/#token=${token}`);
    },
    killHost: () => server.close({ graceMs: 0 }),
    async restartHost() {
      source = new ServedLane(source);
      await serve();
    },
    startCall(command = "make -j8") {
      const { lane } = source;
      if (lane.operationId === undefined) source.play(lane.startOperation());
      const { id, group } = lane.startTool({ command });
      source.play(group);
      return id;
    },
    async [Symbol.asyncDispose]() {
      await context.close();
      await server.close({ graceMs: 0 });
    },
  };
}

async function watchFaults(context: BrowserContext, page: Page, origin: string): Promise<string[]> {
  const faults: string[] = [];
  context.on("request", (request) => {
    const isOwn = request.url().startsWith(`${origin}/`) || /^(data|blob):/.test(request.url());
    if (!isOwn) faults.push(`request to ${request.url()}`);
  });
  page.on("pageerror", (error) => faults.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.exposeFunction("spillwayViolation", (text: string) => faults.push(`content policy: ${text}`));
  await page.addInitScript(
    `addEventListener("securitypolicyviolation", (e) => spillwayViolation(e.violatedDirective + " " + e.blockedURI));`,
  );
  return faults;
}

import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { Context } from "hono";
import { WireError } from "./errors.js";
import { checkHead } from "./guard.js";
import type { GuardOptions, RequestHead } from "./guard.js";
import { SECURITY_HEADERS } from "./page.js";
import type { PageFile, WirePage } from "./page.js";
import type { RouteContext } from "./route.js";
import { routes } from "./routes.js";
import type { WireSource } from "./source.js";
import type { StreamPool } from "./stream-pool.js";
import type { Access } from "./tokens.js";

export interface WireAppOptions extends GuardOptions {
  readonly source: WireSource;
  readonly streams: StreamPool;
  readonly page: WirePage;
  readonly onFault: ((error: unknown) => void) | undefined;
}

type WireContext = Context<{ Bindings: HttpBindings }>;

/** Answers requests: each is checked by its head, then handed to its route. */
export function createWireApp(options: WireAppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(async (context, next) => {
    await next();
    // Written to the socket already, with headers of its own.
    if (context.res.headers.has(ALREADY_SENT)) return;
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.res.headers.set(name, value);
  });
  for (const [path, file] of options.page) {
    app.all(path, (context) => {
      checkHead(headOf(context), { methods: ["GET"] }, options);
      return pageAnswer(file);
    });
  }
  for (const route of routes) {
    app.all(route.path, async (context) => {
      const access = checkHead(headOf(context), route, options);
      return await route.answer(routeContext(context, options, access));
    });
  }
  app.all("*", (context) => {
    // Throws whatever it finds: at least that there is nothing here.
    checkHead(headOf(context), undefined, options);
    return context.notFound();
  });
  app.onError((error, context) => {
    if (!(error instanceof WireError)) options.onFault?.(error);
    return errorAnswer(error, context.req.method);
  });
  return app;
}

const ALREADY_SENT = "x-hono-already-sent";

function headOf(context: WireContext): RequestHead {
  return { method: context.req.method, header: (name) => context.req.header(name) };
}

function routeContext(context: WireContext, options: WireAppOptions, access: Access | undefined): RouteContext {
  return {
    access: access ?? "view",
    source: options.source,
    streams: options.streams,
    incoming: context.env.incoming,
    outgoing: context.env.outgoing,
    param: (name) => context.req.param(name) ?? "",
    query: (name) => context.req.query(name),
    header: (name) => context.req.header(name),
  };
}

function pageAnswer({ type, body }: PageFile): Response {
  return new Response(body, { headers: { "content-type": type, "cache-control": "no-cache" } });
}

function errorAnswer(error: unknown, method: string): Response {
  const known = error instanceof WireError ? error : new WireError("internal", "the server failed; see its log");
  return Response.json(
    { error: { code: known.code, message: known.message } },
    {
      status: known.status,
      headers: {
        "cache-control": "no-store",
        ...(known.code === "unauthorized" && { "www-authenticate": "Bearer" }),
        // A body that nobody read must not be taken for the next request.
        ...(method !== "GET" && method !== "HEAD" && { connection: "close" }),
      },
    },
  );
}

import { Hono } from "hono";
import { streamSSE } from "hono/streaming";
import { chatFacet, createFacetHost } from "spillway/facet";
import type { Lane } from "spillway/harness";
import { PROTOCOL_VERSION } from "spillway/protocol";

/**
 * A lane over HTTP: `POST /prompt` with `{text}` begins an operation, `GET /chat` streams the chat to any consumer of
 * `spillway/wire/client`. It trusts whoever reaches it, and a slow reader holds its messages in memory; a server for
 * others than yourself is `createWireServer` of `spillway/wire`.
 */
export function createApp(lane: Lane): Hono {
  const chat = createFacetHost(chatFacet, () => lane.view());
  lane.subscribe({
    open: () => undefined,
    receive: (group) => chat.deliver(group),
    end: () => chat.close(),
  });

  const app = new Hono();
  app.post("/prompt", async (context) => {
    const { text } = await context.req.json<{ text: string }>();
    const { id } = await lane.prompt(text);
    return context.json({ operation: id }, 202);
  });
  app.get("/chat", (context) =>
    streamSSE(context, async (stream) => {
      await stream.writeSSE({ event: "open", data: JSON.stringify({ protocol: PROTOCOL_VERSION, facet: "chat" }) });
      let written = Promise.resolve();
      const write = (message: Parameters<typeof stream.writeSSE>[0]): void => {
        written = written.then(() => stream.writeSSE(message));
      };
      await new Promise<void>((resolve) => {
        const subscription = chat.subscribe({
          receive: ({ message, json }) => write({ id: String(message.seq), data: json }),
          end: resolve,
        });
        stream.onAbort(() => {
          subscription.close();
          resolve();
        });
      });
      await written;
      await stream.writeSSE({ event: "end", data: "{}" });
    }),
  );
  return app;
}

import { read } from "@/server/session";
import { settings } from "@/server/settings";
import { addressIn } from "@/server/visitor";

export const dynamic = "force-dynamic";

/** The stream of the visitor's cart, without the cart: the page needs to know only that it has changed. */
export async function GET(request: Request): Promise<Response> {
  const id = await read("cart");
  if (id === null) return new Response(null, { status: 204 }); // an EventSource then stops
  const headers = new Headers({ Authorization: `Bearer ${settings.key}`, "X-Forwarded-For": addressIn(request.headers) });
  const token = await read("customer");
  if (token !== null) headers.set("X-Customer-Token", token);
  const address = `${settings.cartd}/v1/api/commerce/carts/${encodeURIComponent(id)}/events`;
  const stream = await fetch(address, { headers, signal: request.signal, cache: "no-store" }).catch(() => null);
  if (!stream?.ok || !stream.body) return new Response(null, { status: stream?.status === 404 || stream?.status === 403 ? 204 : 503 });
  return new Response(stream.body.pipeThrough(new TextDecoderStream()).pipeThrough(withoutCart()).pipeThrough(new TextEncoderStream()), {
    headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no" },
  });
}

/** Passes the events on; of the carts only that there is a new one. */
function withoutCart() {
  let rest = "";
  let name = "";
  return new TransformStream<string, string>({
    transform(chunk, controller) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        if (line.startsWith("event:")) name = line.slice("event:".length).trim();
        controller.enqueue(line.startsWith("data:") && name === "cart" ? "data: {}\n" : `${line}\n`);
      }
    },
  });
}

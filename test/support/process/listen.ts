import type { RequestListener } from "node:http";
import { serve } from "../../../server/http/connection/serve.ts";

/** A handler behind a real listener on a free port; `await using` closes it. */
export async function listen(handler: RequestListener) {
  const listener = await serve(handler, { host: "127.0.0.1", port: 0 });
  return { ...listener, [Symbol.asyncDispose]: () => listener.close(0) };
}

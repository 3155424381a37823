/** Sends notifications over HTTP, on connections that are kept, and tells what came back. It knows nothing of what they say. */
import type { ClientRequest, IncomingMessage } from "node:http";
import { urlToHttpOptions } from "node:url";
import { keepConnections, wasStale } from "../../../http/connections.ts";
import type { NotificationMessage } from "../faults/notification-faults.ts";

/** The most of a reply that is read, in bytes. */
export const maxReplyBytes = 64 * 1024;

export type Reply =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** At most `maxReplyBytes` of it. */
      readonly body: string;
    }
  /** No whole answer in time. */
  | { readonly kind: "late" }
  | { readonly kind: "failed"; readonly reason: string };

export interface NotificationPoster {
  /** @param timeoutMs within which the whole answer must be there. @throws when the poster is closed meanwhile */
  post(url: string, message: NotificationMessage, timeoutMs: number): Promise<Reply>;
  /** Breaks off what is under way. */
  close(): void;
}

class LateReply extends Error {}

export function createNotificationPoster(): NotificationPoster {
  const connections = keepConnections({ maxFreeSockets: 64, timeout: 30_000 });
  const underWay = new Set<ClientRequest>();
  let closed = false;

  function send(url: URL, { headers, body }: NotificationMessage, timeoutMs: number): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const request = connections.request(url.protocol, {
        ...urlToHttpOptions(url),
        method: "POST",
        headers: { Accept: "*/*", ...headers, "Content-Length": Buffer.byteLength(body) },
        // The receiver is the user's own, often with a certificate that it made itself.
        rejectUnauthorized: false,
      });
      const late = setTimeout(() => request.destroy(new LateReply()), timeoutMs);
      underWay.add(request);
      request.on("close", () => {
        clearTimeout(late);
        underWay.delete(request);
      });
      request.on("response", (response) => void read(response).then(resolve, reject));
      request.on("error", (error: NodeJS.ErrnoException) => {
        if (wasStale(request, error) && !closed) resolve(send(url, { headers, body }, timeoutMs));
        else reject(error);
      });
      request.end(body);
    });
  }

  return {
    async post(url, message, timeoutMs) {
      const address = /^https?:/i.test(url) ? URL.parse(url) : null;
      if (!address) return { kind: "failed", reason: "the address is not one of http or https" };
      if (closed) throw new Error("the simulator is closed");
      try {
        return await send(address, message, timeoutMs);
      } catch (error) {
        if (closed) throw error;
        return error instanceof LateReply ? { kind: "late" } : { kind: "failed", reason: reasonOf(error) };
      }
    },
    close() {
      closed = true;
      for (const request of underWay) request.destroy(new Error("the simulator is closed"));
      connections.destroy();
    },
  };
}

/** Where several addresses were tried, the error itself says nothing, but each of those in it does. */
function reasonOf(error: unknown): string {
  const { message, code, errors } = error as NodeJS.ErrnoException & { errors?: readonly Error[] };
  return message || errors?.[0]?.message || code || "the connection failed";
}

function read(response: IncomingMessage): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = () =>
      resolve({
        kind: "answered",
        status: response.statusCode ?? 0,
        headers: Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [
            name,
            Array.isArray(value) ? value.join(", ") : (value ?? ""),
          ]),
        ),
        body: Buffer.concat(chunks).subarray(0, maxReplyBytes).toString("utf8"),
      });
    response.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size <= maxReplyBytes) return;
      done();
      response.destroy();
    });
    response.on("end", done);
    response.on("error", reject);
  });
}

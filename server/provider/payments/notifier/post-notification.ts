/** Sends notifications over HTTP on kept-alive connections and returns the replies. It does not know their content. */
import type { ClientRequest, IncomingMessage } from "node:http";
import { wasStale } from "../../../http/connection/connections.ts";
import type { Asker } from "../../../http/outgoing/asker.ts";
import { createOutgoingRequests } from "../../../http/outgoing/outgoing-requests.ts";
import { reasonFor } from "../../../http/outgoing/reason-for.ts";
import type { Targets } from "../../../http/outgoing/targets.ts";
import { afterRunning } from "../../../time/after-running.ts";
import type { NotificationMessage } from "../faults/notification-faults.ts";

/** The maximum number of bytes read from a reply. */
export const maxReplyBytes = 64 * 1024;

export type NotificationReply =
  | {
      readonly kind: "answered";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      /** At most `maxReplyBytes`. */
      readonly body: string;
    }
  /** No complete reply in time. */
  | { readonly kind: "late" }
  | { readonly kind: "failed"; readonly reason: string };

interface OutgoingMessage extends NotificationMessage {
  /** POST unless given. */
  readonly method?: "GET";
}

class LateReply extends Error {}

export type NotificationPoster = ReturnType<typeof createNotificationPoster>;

export function createNotificationPoster(targets: Targets) {
  const outgoing = createOutgoingRequests({
    targets,
    agent: { maxFreeSockets: 64, timeout: 30_000 },
    takesOwnCertificates: true,
  });
  const underWay = new Set<ClientRequest>();
  let closed = false;

  async function send(url: URL, asker: Asker, message: OutgoingMessage, timeoutMs: number): Promise<NotificationReply> {
    const { method = "POST", headers, body } = message;
    const request = await outgoing.begin(asker, url, {
      method,
      headers: { Accept: "*/*", ...headers, "Content-Length": Buffer.byteLength(body) },
    });
    return new Promise((resolve, reject) => {
      const late = afterRunning(timeoutMs, () => void request.destroy(new LateReply()));
      underWay.add(request);
      if (closed) request.destroy();
      request.on("close", () => {
        clearInterval(late);
        underWay.delete(request);
      });
      let isAnswered = false;
      request.on("response", (response) => {
        isAnswered = true;
        void read(response).then(resolve, reject);
      });
      request.on("error", (error: NodeJS.ErrnoException) => {
        // A receiver may refuse a body before it has read it, and close: its answer counts, and nothing is sent twice.
        if (!isAnswered && wasStale(request, error) && !closed) resolve(send(url, asker, message, timeoutMs));
        else reject(error);
      });
      request.end(body);
    });
  }

  return {
    /**
     * @param asker who named the address
     * @param timeoutMs time limit for the complete reply
     * @throws if the poster is closed meanwhile
     */
    async post(url: string, asker: Asker, message: OutgoingMessage, timeoutMs: number): Promise<NotificationReply> {
      const address = /^https?:/i.test(url) ? URL.parse(url) : null;
      if (!address) return { kind: "failed", reason: "the address is not one of http or https" };
      if (closed) throw new Error("the simulator is closed");
      try {
        return await send(address, asker, message, timeoutMs);
      } catch (error) {
        if (closed) throw error;
        return error instanceof LateReply ? { kind: "late" } : { kind: "failed", reason: reasonFor(asker, error) };
      }
    },
    /** Aborts requests in progress. */
    close(): void {
      closed = true;
      for (const request of underWay) request.destroy(new Error("the simulator is closed"));
      outgoing.destroy();
    },
  };
}

function read(response: IncomingMessage): Promise<NotificationReply> {
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

import type { Duplex } from "node:stream";
import type { ErrorBody } from "../../contract/error-body.ts";
import { hangUp } from "./hang-up.ts";
import type { PipelinedRequests } from "./pipelined-requests.ts";

const refusals: Readonly<Record<string, readonly [status: string, code: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["400 Bad Request", "headers_too_long", "The request's headers are too long."],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "request_timeout", "The request's headers did not come in time."],
};
const badRequest = ["400 Bad Request", "bad_request", "This is not a valid HTTP request."] as const;

/** The last answer of a connection whose requests can no longer be separated. */
function answerTo(error: NodeJS.ErrnoException): string {
  const [status, code, message] = refusals[error.code ?? ""] ?? badRequest;
  const body = JSON.stringify({ Message: message, code } satisfies ErrorBody);
  const head = `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close`;
  return `${head}\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\n\r\n${body}`;
}

/** Handles invalid HTTP (the server's event `clientError`): answers 400, after the answers to earlier requests. */
export function refuseBroken(pipelined: PipelinedRequests) {
  const refused = new WeakSet<Duplex>();
  return (error: NodeJS.ErrnoException, socket: Duplex): void => {
    if (refused.has(socket)) return; // further bytes of the same error
    refused.add(socket);
    if (!socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    pipelined.afterAnswers(socket, (unfinished) => {
      if (!socket.writable || unfinished?.headersSent === true) {
        socket.destroy();
        return;
      }
      hangUp(socket, answerTo(error));
    });
  };
}

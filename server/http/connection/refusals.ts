import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { ErrorBody } from "../../contract/error-body.ts";
import { hangUp } from "./hang-up.ts";
import type { PipelinedRequests } from "./pipelined-requests.ts";

export interface RefusalBody {
  readonly type: string;
  readonly text: string;
}
type Refusal = readonly [status: string, body: RefusalBody];

const bodyOf = (code: string, Message: string): RefusalBody => ({
  type: "application/json; charset=utf-8",
  text: JSON.stringify({ Message, code } satisfies ErrorBody),
});

const refusals: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: ["400 Bad Request", bodyOf("headers_too_long", "The request's headers are too long.")],
  ERR_HTTP_REQUEST_TIMEOUT: [
    "408 Request Timeout",
    bodyOf("request_timeout", "The request's headers did not arrive in time."),
  ],
};
const badRequest: Refusal = ["400 Bad Request", bodyOf("bad_request", "This is not a valid HTTP request.")];
const unknownMethodBody = bodyOf(
  "method_not_allowed",
  "This method is not supported. Use GET, POST, PUT, PATCH, DELETE, HEAD or OPTIONS.",
);

/** An error of Node's parser, with the bytes that caused it. */
type ParserError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer; readonly bytesParsed?: number };

const methodErrors: ReadonlySet<string | undefined> = new Set(["HPE_INVALID_METHOD", "HPE_INVALID_CONSTANT"]);
const requestLine = /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?$/;

/**
 * Whether only the method is wrong in the line at which the parser stopped. It reports other invalid input in the same
 * way.
 */
function isUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (!rawPacket || !methodErrors.has(code)) return false;
  const start = rawPacket.subarray(0, bytesParsed).lastIndexOf("\n") + 1;
  const [line = ""] = rawPacket.toString("latin1", start).split("\n", 1);
  return requestLine.test(line);
}

/** The last answer of a connection whose requests can no longer be separated. */
function answerOf([status, { type, text }]: Refusal): string {
  const head = `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nX-Content-Type-Options: nosniff\r\nConnection: close`;
  return `${head}\r\nContent-Length: ${String(Buffer.byteLength(text))}\r\n\r\n${text}`;
}

/** Refuses requests that Node passes to no handler, after the answers to earlier requests. */
export function createRefusals(pipelined: PipelinedRequests, methodBody = unknownMethodBody) {
  const unknownMethod: Refusal = ["405 Method Not Allowed", methodBody];
  const refused = new WeakSet<Duplex>();

  const refuse = (socket: Duplex, refusal: Refusal) =>
    pipelined.afterAnswers(socket, (unfinished) => {
      if (!socket.writable || unfinished?.headersSent === true) {
        socket.destroy();
        return;
      }
      hangUp(socket, answerOf(refusal));
    });

  return {
    /** Answers invalid HTTP (the server's event `clientError`). */
    broken: (error: ParserError, socket: Duplex): void => {
      if (refused.has(socket)) return; // further bytes of the same error
      refused.add(socket);
      if (!socket.writable || error.code === "ECONNRESET") socket.destroy();
      else refuse(socket, isUnknownMethod(error) ? unknownMethod : (refusals[error.code ?? ""] ?? badRequest));
    },

    /** Answers CONNECT (the server's event `connect`), whose socket Node leaves without a listener for errors. */
    tunnel: (_req: IncomingMessage, socket: Duplex): void => {
      socket.on("error", () => socket.destroy());
      refuse(socket, unknownMethod);
    },
  };
}

/** Calls of the control routes: the console's API, and the simulator's `/sim`. Neither is recorded. */
import { request, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { warningHeader } from "../contract/app/hearth-headers.ts";
import { byConsoleHeader } from "../contract/console/by-console.ts";

/**
 * Sends a request with a JSON body and returns the JSON of the answer; undefined without one.
 * @throws ControlError when the server refuses, or does not know a name
 */
export type ControlCall = (method: string, path: string, body?: unknown) => Promise<unknown>;

export class ControlError extends Error {
  override readonly name = "ControlError";
  /** The answer's status. */
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * @param origin base URL of the service
 * @param token the run's console token, if the service requires it
 */
export const createControlCall =
  (origin: string, token = ""): ControlCall =>
  async (method, path, body) => {
    const reply = await send(method, origin + path, body, {
      "Content-Type": "application/json",
      [byConsoleHeader]: "1",
      ...(token !== "" && { Authorization: `Bearer ${token}` }),
    });
    const { status } = reply;
    const problem = status >= 200 && status < 300 ? reply.warning : messageIn(reply.text);
    if (problem !== undefined) throw new ControlError(status, `${method} ${path} answered ${status}: ${problem}`);
    return reply.text === "" ? undefined : (JSON.parse(reply.text) as unknown);
  };

/** By Node's HTTP client, because loading fetch takes longer than the calls of a start. */
async function send(method: string, url: string, body: unknown, headers: Record<string, string>) {
  const content = body === undefined ? undefined : JSON.stringify(body);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request(url, { method, headers }, resolve).once("error", reject).end(content);
  const answer = await promise;
  const warning = answer.headers[warningHeader.toLowerCase()]?.toString();
  return { status: answer.statusCode ?? 0, text: await text(answer), warning };
}

/** The `Message` of a service's refusal, or the whole text. */
function messageIn(answer: string): string {
  try {
    return (JSON.parse(answer) as { Message?: string }).Message ?? answer;
  } catch {
    return answer;
  }
}

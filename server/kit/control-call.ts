/** Calls of the control routes: the console's API, and the simulator's `/sim`. Neither is recorded. */
import { warningHeader } from "../contract/app/hearth-headers.ts";
import { byConsoleHeader } from "../contract/console/by-console.ts";
import { callService } from "../http/outgoing/call-service.ts";

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
    const headers = { [byConsoleHeader]: "1", ...(token !== "" && { Authorization: `Bearer ${token}` }) };
    const reply = await callService(origin + path, { method, headers, body });
    const { status, ok } = reply;
    const problem = ok ? reply.headers[warningHeader.toLowerCase()]?.toString() : messageIn(reply.text);
    if (problem !== undefined) throw new ControlError(status, `${method} ${path} returned ${status}: ${problem}`);
    return reply.text === "" ? undefined : (JSON.parse(reply.text) as unknown);
  };

/** The `Message` of a service's refusal, or the whole text. */
function messageIn(answer: string): string {
  try {
    return (JSON.parse(answer) as { Message?: string }).Message ?? answer;
  } catch {
    return answer;
  }
}

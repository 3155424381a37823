/** Calls of the control routes: the console's API, and the simulator's `/sim`. Neither is recorded. */
import { warningHeader } from "../contract/app/hearth-headers.ts";
import { byConsoleHeader } from "../contract/console/console.ts";

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
    const response = await fetch(origin + path, {
      method,
      headers: {
        "Content-Type": "application/json",
        [byConsoleHeader]: "1",
        ...(token !== "" && { Authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const problem = response.ok ? response.headers.get(warningHeader) : messageIn(text);
    if (problem !== null)
      throw new ControlError(response.status, `${method} ${path} answered ${response.status}: ${problem}`);
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  };

/** The `Message` of a service's refusal, or the whole text. */
function messageIn(text: string): string {
  try {
    return (JSON.parse(text) as { Message?: string }).Message ?? text;
  } catch {
    return text;
  }
}

import { z } from "zod";

const bodySchema = z.union([
  z.object({ Message: z.string(), code: z.string().optional() }),
  z.object({ error: z.string() }),
  z.object({ err_msg: z.string() }),
]);

/** A refusal, or no answer: `status` is 0 if the server could not be reached. `message` is for a person. */
export class ConsoleError extends Error {
  override readonly name = "ConsoleError";
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Extracts the message for a person from an error body of the application server or the model service. */
export function messageOf(body: string, fallback: string): string {
  try {
    const parsed = bodySchema.parse(JSON.parse(body));
    if ("Message" in parsed) return parsed.Message;
    return "error" in parsed ? parsed.error : parsed.err_msg;
  } catch {
    return fallback;
  }
}

/** Whether an answer demands a login; services behind the proxy have their own 401s. */
export function asksForLogin(status: number, body: string): boolean {
  if (status !== 401) return false;
  try {
    const parsed = bodySchema.parse(JSON.parse(body));
    return "code" in parsed && parsed.code === "console_token_required";
  } catch {
    return false;
  }
}

/** Whether the session token of a call was rejected. */
export const isUnauthorized = (error: unknown): boolean => error instanceof ConsoleError && error.status === 401;

export const messageOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

import { z } from "zod";

const bodySchema = z.union([
  z.object({
    Message: z.string(),
    code: z.string().optional(),
    details: z
      .array(z.object({ field: z.string() }))
      .optional()
      .catch(undefined),
  }),
  z.object({ error: z.string() }),
  z.object({ err_msg: z.string() }),
]);

/** A refusal, or no answer: `status` is 0 if the server could not be reached. `message` is for a person. */
export class ConsoleError extends Error {
  override readonly name = "ConsoleError";
  readonly status: number;
  /** The field of the request that the refusal names. */
  readonly field: string | undefined;
  constructor(status: number, message: string, field?: string, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.field = field;
  }
}

/** An error body of the application server or the model service; undefined for any other. */
function readBody(body: string): z.output<typeof bodySchema> | undefined {
  try {
    return bodySchema.parse(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** Extracts the message for a person from an error body. */
export function messageOf(body: string, fallback: string): string {
  const parsed = readBody(body);
  if (parsed === undefined) return fallback;
  if ("Message" in parsed) return parsed.Message;
  return "error" in parsed ? parsed.error : parsed.err_msg;
}

/** The first field that an error body of the application server names. */
export function fieldOf(body: string): string | undefined {
  const parsed = readBody(body);
  return parsed && "Message" in parsed ? parsed.details?.[0]?.field : undefined;
}

/** Whether an answer demands a login; services behind the proxy have their own 401s. */
export function asksForLogin(status: number, body: string): boolean {
  if (status !== 401) return false;
  const parsed = readBody(body);
  return parsed !== undefined && "code" in parsed && parsed.code === "console_token_required";
}

/** Null for a missing thing. As data, null replaces the previous result. */
export const nullIfGone = <T>(asked: Promise<T>): Promise<T | null> =>
  asked.catch((error: unknown) => {
    if (error instanceof ConsoleError && error.status === 404) return null;
    throw error;
  });

/** Whether the session token of a call was rejected. */
export const isUnauthorized = (error: unknown): boolean => error instanceof ConsoleError && error.status === 401;

export const messageOfError = (error: unknown): string => (error instanceof Error ? error.message : String(error));

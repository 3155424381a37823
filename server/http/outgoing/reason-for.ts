import type { Asker } from "./asker.ts";
import { TargetRefused } from "./targets.ts";

/** The reason of a failed request, for its asker. Other machines get no text from the server. */
export function reasonFor(asker: Asker, error: unknown): string {
  if (error instanceof TargetRefused) return error.message;
  const { message, code, cause, errors } = error as NodeJS.ErrnoException & { errors?: readonly Error[] };
  if (asker !== "here") return code ?? "the connection failed";
  const inner = cause instanceof Error ? cause.message : "";
  // When several addresses were tried, only the inner errors have a reason.
  return inner || message || errors?.[0]?.message || code || "the connection failed";
}

import type { Asker } from "./asker.ts";
import { TargetRefused } from "./targets.ts";

/** Why a request has failed, in words for who asked for it: beyond this machine nobody is told what others have said. */
export function reasonFor(asker: Asker, error: unknown): string {
  if (error instanceof TargetRefused) return error.message;
  const { message, code, cause, errors } = error as NodeJS.ErrnoException & { errors?: readonly Error[] };
  if (asker !== "here") return code ?? "the connection failed";
  const inner = cause instanceof Error ? cause.message : "";
  // Where several addresses were tried, the error itself says nothing, but each of those in it does.
  return inner || message || errors?.[0]?.message || code || "the connection failed";
}

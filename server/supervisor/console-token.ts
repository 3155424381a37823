import { randomBytes } from "node:crypto";
import { RunError } from "./run-error.ts";

export const tokenVariable = "HEARTH_CONSOLE_TOKEN";

/**
 * From the environment, for containers and tests that must know it in advance; otherwise new in each run.
 * @throws RunError
 */
export function consoleTokenOf({ [tokenVariable]: token = "" }: Readonly<Record<string, string | undefined>>): string {
  if (token === "") return randomBytes(32).toString("base64url");
  if (!/^[\w.~-]{32,512}$/.test(token))
    throw new RunError(
      `${tokenVariable} must have 32 to 512 of the characters A-Z a-z 0-9 . _ ~ -, for example 32 bytes in hex`,
    );
  return token;
}

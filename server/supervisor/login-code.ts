import { createLoginCode, loginCodeSchema, type LoginCode } from "../contract/console/console-logins.ts";
import { consoleAccess } from "./console-access.ts";

const answerWithinMs = 5_000;

/**
 * Requests a login code from a run. The code lets one browser log in and expires after some minutes; the console's
 * address comes with it.
 * @param console the address with the run's token, as in its ready file
 * @throws Error when the run does not return one
 */
export async function newLoginCode(console: string): Promise<LoginCode> {
  const { origin, token } = consoleAccess(console);
  const response = await fetch(`${origin}${createLoginCode.path}`, {
    method: createLoginCode.method,
    headers: { Authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(answerWithinMs),
  });
  if (!response.ok) throw new Error(`${createLoginCode.path} returned ${String(response.status)}`);
  return loginCodeSchema.parse(await response.json());
}

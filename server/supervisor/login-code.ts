import { createLoginCode, loginCodeSchema, type LoginCode } from "../contract/console/console-logins.ts";

const answerWithinMs = 5_000;

/**
 * Asks a run for a code, and for the address of its console with it, that lets one browser in within some minutes.
 * @param console the address with the run's token, as its ready file has it
 * @throws Error when the run does not answer with one
 */
export async function newLoginCode(console: string): Promise<LoginCode> {
  const { origin, searchParams } = new URL(console);
  const response = await fetch(`${origin}${createLoginCode.path}`, {
    method: createLoginCode.method,
    headers: { Authorization: `Bearer ${searchParams.get("token") ?? ""}` },
    signal: AbortSignal.timeout(answerWithinMs),
  });
  if (!response.ok) throw new Error(`${createLoginCode.path} answered ${String(response.status)}`);
  return loginCodeSchema.parse(await response.json());
}

import { expect } from "vitest";

/** Asks, and expects that no answer has come when what is done `meanwhile` is done; then nobody waits for one any more. */
export async function expectNoAnswer(
  ask: (signal: AbortSignal) => Promise<Response>,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const left = new AbortController();
  const asked = ask(left.signal).then(
    () => "answered",
    () => "left",
  );
  await meanwhile();
  left.abort();
  expect(await asked).toBe("left");
}

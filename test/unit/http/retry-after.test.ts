import { expect, it } from "vitest";
import { retryAfterMs } from "../../../server/http/outgoing/retry-after.ts";

const asked = (text: string) => retryAfterMs({ headers: { "retry-after": text } });

it("reads Retry-After as seconds and as a date", () => {
  expect(asked("3")).toBe(3_000);
  const inAnHour = asked(new Date(Date.now() + 3_600_000).toUTCString());
  expect(inAnHour).toBeGreaterThan(3_500_000);
  expect(inAnHour).toBeLessThanOrEqual(3_600_000);
});

it("takes no pause from a time that is over, from other text, or where nothing is said", () => {
  expect(asked(new Date(0).toUTCString())).toBeUndefined();
  expect(asked("soon")).toBeUndefined();
  expect(asked("-5")).toBeUndefined();
  expect(retryAfterMs({ headers: {} })).toBeUndefined();
});

import { expect, it } from "vitest";
import { retryAfterMs } from "../../../server/http/outgoing/retry-after.ts";

const asked = (text: string) => retryAfterMs({ headers: { "retry-after": text } });

it("Retry-After is read as seconds and as a date", () => {
  expect(asked("3")).toBe(3_000);
  const inAnHour = asked(new Date(Date.now() + 3_600_000).toUTCString());
  expect(inAnHour).toBeGreaterThan(3_500_000);
  expect(inAnHour).toBeLessThanOrEqual(3_600_000);
});

it("Retry-After gives no pause for a time that is over, for other text, and without the header", () => {
  expect(asked(new Date(0).toUTCString())).toBeUndefined();
  expect(asked("soon")).toBeUndefined();
  expect(asked("-5")).toBeUndefined();
  expect(retryAfterMs({ headers: {} })).toBeUndefined();
});

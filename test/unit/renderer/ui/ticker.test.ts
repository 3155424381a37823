import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTicker } from "../../../../renderer/ui/marks/ticker.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A page that is shown, until it is hidden. */
function scene() {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const show = (state: string) => {
    page.visibilityState = state;
    page.dispatchEvent(new Event("visibilitychange"));
  };
  return { ticker: createTicker(page), show };
}

describe("the clock of shown times", () => {
  it("runs countdowns by the second and other times less often, by one timer each, and only while one is shown", () => {
    const { ticker } = scene();
    const ticks = { second: 0, minute: 0 };
    const stops = (["second", "second", "minute"] as const).map((pace) => ticker.subscribe(() => ticks[pace]++, pace));
    expect(vi.getTimerCount()).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect(ticks.second).toBe(2 * 60);
    expect(ticks.minute).toBeLessThanOrEqual(6);
    expect(ticks.minute).toBeGreaterThan(0);
    for (const stop of stops) stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("stands still while the window is hidden, and is right again when it is shown", () => {
    const { ticker, show } = scene();
    let ticks = 0;
    ticker.subscribe(() => ticks++, "minute");
    show("hidden");
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(3_600_000);
    expect(ticks).toBe(0);
    show("visible");
    expect(ticks).toBe(1);
    expect(vi.getTimerCount()).toBe(1);
  });
});

/** A clock that can be moved, and what is woken by it. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createAdjustableClock } from "../../server/time/adjustable-clock.ts";
import { Agenda } from "../../server/provider/payments/agenda.ts";

const hour = 3_600_000;

describe("wakeAt", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("wakes once, when the time has come; at once for one that has passed", () => {
    const clock = createAdjustableClock();
    const woken: string[] = [];
    clock.wakeAt(clock.now() + hour, () => woken.push("later"));
    clock.wakeAt(clock.now() - 1, () => woken.push("past"));
    vi.advanceTimersByTime(0);
    expect(woken).toEqual(["past"]);
    vi.advanceTimersByTime(hour - 1);
    expect(woken).toEqual(["past"]);
    vi.advanceTimersByTime(2 * hour);
    expect(woken).toEqual(["past", "later"]);
  });

  it("wakes as soon as somebody moves the clock there", () => {
    const clock = createAdjustableClock();
    const run = vi.fn();
    clock.wakeAt(clock.now() + hour, run);
    clock.offsetMs += hour - 1;
    vi.advanceTimersByTime(0);
    expect(run).not.toHaveBeenCalled();
    clock.offsetMs += 1;
    vi.advanceTimersByTime(0);
    expect(run).toHaveBeenCalledOnce();
    clock.offsetMs += hour;
    vi.advanceTimersByTime(hour);
    expect(run).toHaveBeenCalledOnce();
  });

  it("waits years where it has to", () => {
    const clock = createAdjustableClock();
    const run = vi.fn();
    clock.wakeAt(clock.now() + 10_000 * hour, run);
    vi.advanceTimersByTime(10_000 * hour - 1);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it("waits no longer than it would have at first, once the clock is moved back", () => {
    const clock = createAdjustableClock();
    const run = vi.fn();
    clock.offsetMs = 24 * hour;
    clock.wakeAt(clock.now() + hour, run);
    clock.offsetMs = 0;
    vi.advanceTimersByTime(hour - 1);
    expect(run).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(run).toHaveBeenCalledOnce();
  });

  it("waits the same time once more at most when the system's clock is put back", () => {
    const clock = createAdjustableClock();
    const run = vi.fn();
    clock.wakeAt(clock.now() + hour, run);
    vi.setSystemTime(Date.now() - 24 * hour);
    vi.advanceTimersByTime(2 * hour);
    expect(run).toHaveBeenCalledOnce();
  });

  it("does not wake what was called off", () => {
    const clock = createAdjustableClock();
    const run = vi.fn();
    clock.wakeAt(clock.now() + hour, run)();
    clock.offsetMs += 2 * hour;
    vi.advanceTimersByTime(2 * hour);
    expect(run).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("an agenda", () => {
  function start() {
    const alarms = new Set<{ due: number; run: () => void }>();
    const done: string[] = [];
    const agenda = new Agenda<string>({
      wakeAt(due, run) {
        const alarm = { due, run };
        alarms.add(alarm);
        return () => void alarms.delete(alarm);
      },
      run: (item) => void done.push(item),
    });
    /** Rings the one alarm that is set. */
    const ring = () => {
      const [alarm] = alarms;
      if (alarm) alarms.delete(alarm);
      alarm?.run();
    };
    return { agenda, alarms, done, ring };
  }

  it("has one alarm, for what comes first, whatever the order in which things were added", () => {
    const { agenda, alarms, done, ring } = start();
    for (const [due, item] of [
      [30, "c"],
      [10, "a"],
      [20, "b"],
      [40, "d"],
    ] as const)
      agenda.add(due, item);
    expect([...alarms].map(({ due }) => due)).toEqual([10]);
    for (const soFar of [["a"], ["a", "b"], ["a", "b", "c"], ["a", "b", "c", "d"]]) {
      ring();
      expect(done).toEqual(soFar);
      expect(alarms.size).toBe(soFar.length < 4 ? 1 : 0);
    }
  });

  it("does what is due at the same time in the order in which it was added", () => {
    const { agenda, done, ring } = start();
    for (const item of ["a", "b", "c"]) agenda.add(10, item);
    ring();
    expect(done).toEqual(["a", "b", "c"]);
  });

  it("forgets everything, with its alarm", () => {
    const { agenda, alarms } = start();
    agenda.add(10, "a");
    agenda.clear();
    expect(alarms.size).toBe(0);
  });
});

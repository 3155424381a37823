import { afterEach, describe, expect, it, vi } from "vitest";
import { readCpuUse } from "../../../server/runner/cpu-use.ts";
import { ThreadGovernor } from "../../../server/runner/thread-governor.ts";

afterEach(() => void vi.useRealTimers());

/** A governor on a machine whose load the test chooses; `pass` lets a quarter of a second go by with so much load. */
function onMachine({ cores = 2, machineCores = cores }: { cores?: number; machineCores?: number } = {}) {
  let [nowMs, busyMs, ownMs] = [0, 0, 0];
  const running = { now: undefined as number | undefined, later: [] as number[] };
  const applied: number[] = [];
  const governor = new ThreadGovernor({
    cores,
    machineCores,
    cpuUse: () => ({ atMs: nowMs, busyMs, ownMs, running: running.later.shift() ?? running.now }),
    apply: (threads) => applied.push(threads),
    now: () => nowMs,
  });
  vi.useFakeTimers();
  const pass = ({ others = 0, own = 0 } = {}, times = 1) => {
    for (let i = 0; i < times; i++) {
      nowMs += 250;
      ownMs += own * 250;
      busyMs += (others + own) * 250;
      vi.advanceTimersByTime(250);
    }
    return governor.threads;
  };
  /** Goes by without a look that is due. */
  const elapse = (ms: number, { others = 0, own = 0 } = {}) => {
    nowMs += ms;
    ownMs += own * ms;
    busyMs += (others + own) * ms;
  };
  governor.start();
  /** A round of one generation took so long. */
  const took = (ms: number) => governor.observe("model", { generating: 1, drafted: 0, prompt: 0, ms });
  /** The end of a wait for a round, if there is one. */
  const round = async () => {
    const ready = governor.ready();
    await vi.advanceTimersByTimeAsync(50);
    await ready;
    took(20);
    return governor.threads;
  };
  return { governor, applied, pass, elapse, took, round, running };
}

describe("the number of threads", () => {
  it("is one until the machine has been seen to be idle, and then all cores", () => {
    const { pass, applied } = onMachine({ cores: 4 });
    expect(applied).toEqual([1]);
    expect(pass()).toBe(1);
    expect(pass()).toBe(4);
    expect(applied).toEqual([1, 4]);
  });

  it("leaves one core for each that another program keeps busy, at once", () => {
    const { pass } = onMachine({ cores: 4 });
    pass({}, 3);
    expect(pass({ others: 1, own: 4 })).toBe(3);
    expect(pass({ others: 2.9, own: 1 })).toBe(1);
  });

  it("does not count its own work as another program's", () => {
    const { pass } = onMachine();
    expect(pass({ own: 2 }, 5)).toBe(2);
  });

  it("ignores a little load", () => {
    const { pass } = onMachine();
    expect(pass({ others: 0.2, own: 1.8 }, 5)).toBe(2);
  });

  it("rises again when the other program is done, not after a moment of rest", () => {
    const { pass } = onMachine();
    pass({ others: 1 }, 4);
    expect(pass({ others: 0 })).toBe(1);
    expect(pass({ others: 1 })).toBe(1);
    expect(pass({ others: 0 }, 2)).toBe(2);
  });

  it("gives way to another program as soon as a round takes longer than usual", () => {
    const { governor, pass, elapse, took } = onMachine();
    pass({ own: 2 }, 3);
    took(20);
    elapse(110, { others: 1, own: 1 });
    took(25);
    expect(governor.threads).toBe(2);
    took(40);
    expect(governor.threads).toBe(1);
  });

  it("is not changed by a single slow round", () => {
    const { governor, pass, elapse, took } = onMachine();
    pass({ own: 2 }, 3);
    took(20);
    elapse(110, { own: 2 });
    took(40);
    elapse(20, { others: 1, own: 1 });
    took(40);
    expect(governor.threads).toBe(2);
  });

  it("is not measured over too short a time: a reading soon after another one is ignored", () => {
    const { governor, pass, elapse, took } = onMachine();
    pass({ own: 2 }, 3);
    took(20);
    elapse(243, { own: 2 });
    took(40);
    elapse(7, { others: 1, own: 1 });
    vi.advanceTimersByTime(250);
    expect(governor.threads).toBe(2);
    expect(pass({ others: 1, own: 1 })).toBe(1);
  });

  it("is all cores at once for a request after the other program's end, not beside a running one", async () => {
    const { pass, round, running } = onMachine();
    pass({ others: 1 }, 4);
    running.now = 2;
    expect(await round()).toBe(1);
    pass({ others: 1 });
    running.later = [2, 1];
    expect(await round()).toBe(2);
    expect(pass({ own: 2 })).toBe(2);
  });

  it("delays no round when the system reports nothing", async () => {
    const { governor, pass, running } = onMachine();
    pass({ others: 1 }, 4);
    running.now = undefined;
    await governor.ready();
    expect(governor.threads).toBe(1);
  });

  it("is measured only after a rest, because a measuring thread needs a core, too", async () => {
    const { governor, pass, running, took } = onMachine();
    pass({ others: 1 }, 4);
    took(20);
    running.now = 1;
    expect(governor.ready()).toBeUndefined();
  });

  it("may be all that a quota allows while others use the rest of a large machine", () => {
    const { pass } = onMachine({ cores: 2, machineCores: 16 });
    expect(pass({ others: 12, own: 2 }, 3)).toBe(2);
    expect(pass({ others: 15, own: 1 })).toBe(1);
  });

  it("falls to one when rounds take many times their usual time, for longer each time", () => {
    const { governor, pass, took } = onMachine();
    pass({}, 3);
    took(20);
    [70, 80].forEach(took);
    expect(governor.threads).toBe(2);
    took(90);
    expect(governor.threads).toBe(1);
    expect(pass({}, 3)).toBe(1);
    expect(pass({}, 2)).toBe(2);
    [70, 80, 90].forEach(took);
    expect(pass({}, 6)).toBe(1);
    expect(pass({}, 4)).toBe(2);
  });

  it("is not judged by rounds of another shape, or with a prompt", () => {
    const { governor, pass, took } = onMachine();
    pass({}, 3);
    took(20);
    for (let i = 0; i < 5; i++) governor.observe("model", { generating: 4, drafted: 0, prompt: 0, ms: 80 });
    for (let i = 0; i < 5; i++) governor.observe("model", { generating: 1, drafted: 0, prompt: 32, ms: 300 });
    for (let i = 0; i < 5; i++) governor.observe("other", { generating: 1, drafted: 0, prompt: 0, ms: 300 });
    expect(governor.threads).toBe(2);
  });

  it("has no limit while a context is made, and no round starts meanwhile", async () => {
    const { governor, applied, pass, took } = onMachine();
    pass({}, 2);
    const made = Promise.withResolvers<string>();
    const result = governor.unlimited(() => made.promise);
    expect(applied.at(-1)).toBe(0);
    let waited = false;
    const round = governor.ready()?.then(() => (waited = true));
    expect(pass({ others: 2 })).toBe(1);
    expect(applied.at(-1)).toBe(0);
    expect(waited).toBe(false);
    made.resolve("context");
    expect(await result).toBe("context");
    await round;
    expect(applied.at(-1)).toBe(1);
    took(20);
    expect(governor.ready()).toBeUndefined();
  });
});

describe("the CPU use", () => {
  const stat =
    "cpu  9 9 9 9\ncpu0 10 20 30 1000 500 1 2 3 40 50\ncpu1 100 0 0 5 0 0 0 0 0 0\nintr 5\nprocs_running 3\n";

  it("is all but idle time and waiting for disks, of the CPUs that the process may use", () => {
    const files: Record<string, string> = { "/proc/stat": stat, "/proc/self/status": "Cpus_allowed_list:\t0\n" };
    expect(readCpuUse((path) => files[path]).busyMs).toBe(660);
    expect(readCpuUse((path) => (path === "/proc/stat" ? stat : undefined)).busyMs).toBe(1660);
  });

  it("includes how many threads want a CPU, where the system reports it", () => {
    expect(readCpuUse((path) => (path === "/proc/stat" ? stat : undefined)).running).toBe(3);
    expect(readCpuUse((path) => (path === "/proc/stat" ? "cpu0 1 2 3 4\n" : undefined)).running).toBeUndefined();
    expect(readCpuUse(() => undefined).running).toBeUndefined();
  });

  it("grows where the system reports nothing except through the runtime", () => {
    const use = readCpuUse(() => undefined);
    expect(use.busyMs).toBeGreaterThan(0);
    expect(use.ownMs).toBeGreaterThan(0);
  });
});

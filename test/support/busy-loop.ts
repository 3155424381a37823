/**
 * Tells of an input that keeps an event loop busy for so long that everybody else waits for it. Another program at work can
 * make anything late once: what was too long counts only when it is too long each time that it is repeated.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout } from "node:timers/promises";

const longestMs = 1_000;
const repetitions = 3;

/** Begins to measure; what it returns tells for how many ms the loop has been busy since. */
export type BusyClock = () => (() => number) | Promise<() => Promise<number>>;

/** For a function that is called: the time that its thread has worked. */
export const threadTime = (): (() => number) => {
  const began = process.threadCpuUsage();
  return () => {
    const { user, system } = process.threadCpuUsage(began);
    return (user + system) / 1_000;
  };
};

/** No delay that is shorter is of interest. */
const shortMs = 20;

/** For a server of this process, which works on an input in many turns of its loop: the longest time between two. */
export function loopDelay(): BusyClock {
  const delays = monitorEventLoopDelay();
  delays.enable();
  let holdsShortOnes = false;
  const written = async (more: number) => {
    for (const wanted = delays.count + more; delays.count < wanted;) await setTimeout(1);
  };
  return async () => {
    if (!holdsShortOnes) {
      delays.reset();
      // What it writes down is measured from the last time that it did.
      await written(1);
    }
    const began = performance.now();
    return async () => {
      const took = performance.now() - began;
      if (took < shortMs) return took;
      // The answer may be here before the delay is written down.
      await written(2);
      const longest = delays.max / 1e6;
      holdsShortOnes = longest < shortMs;
      return longest;
    };
  };
}

/**
 * What comes of the work.
 * @throws Error when it keeps the loop busy for longer than `limitMs`, however often it is repeated; what the work throws
 */
export async function leavingLoopFree<T>(
  work: () => T | Promise<T>,
  clock: BusyClock = threadTime,
  limitMs = longestMs,
): Promise<T> {
  const first = await timed(work, clock);
  const times = [first.ms];
  while (times.every((ms) => ms > limitMs)) {
    if (times.length > repetitions)
      throw new Error(`keeps the event loop busy for ${times.map((ms) => String(Math.round(ms))).join(", ")} ms`);
    times.push((await timed(work, clock)).ms);
  }
  return first.outcome();
}

/** The work, done or failed, and how long it took. */
async function timed<T>(work: () => T | Promise<T>, clock: BusyClock): Promise<{ ms: number; outcome: () => T }> {
  const soFar = await clock();
  try {
    const value = await work();
    return { ms: await soFar(), outcome: () => value };
  } catch (error) {
    const ms = await soFar();
    return {
      ms,
      outcome() {
        throw error;
      },
    };
  }
}

/** Ends a service: it reports that it is not ready, later accepts no more requests, and lets open ones finish. */
import { setTimeout } from "node:timers/promises";
import type { Settings } from "../../contract/process/settings.ts";

type DrainSettings = Pick<Settings, "shutdown_delay_seconds" | "drain_seconds">;

/** The most time that the settings add to a service's end, in ms. */
export const drainMs = ({ shutdown_delay_seconds: delay, drain_seconds: grace = 0 }: DrainSettings): number =>
  (delay + grace) * 1_000;

/** @param onBegin called once */
export function createDrain(settings: DrainSettings, onBegin: () => void = () => undefined) {
  const { shutdown_delay_seconds: delay, drain_seconds: grace } = settings;
  let begun: number | undefined;
  function begin(): number {
    if (begun !== undefined) return begun;
    begun = performance.now();
    onBegin();
    return begun;
  }
  return {
    /** The service is not ready from now on; the delay runs from the first call. */
    begin: (): void => void begin(),
    hasBegun: () => begun !== undefined,
    /** Begins, and resolves when the service may stop listening. */
    async finishDelay(): Promise<void> {
      const leftMs = begin() + delay * 1_000 - performance.now();
      if (leftMs > 0) await setTimeout(leftMs);
    },
    /** The time for open requests after that, in ms; undefined: the service decides. */
    graceMs: grace === undefined ? undefined : grace * 1_000,
    /** The most time for all of it, in ms. */
    mostMs: drainMs(settings),
  };
}
export type Drain = ReturnType<typeof createDrain>;

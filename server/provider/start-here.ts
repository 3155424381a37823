import { recordExchanges } from "../http/recording/record-exchanges.ts";
import { createLog } from "../process/log.ts";
import { openProvider } from "./open-provider.ts";
import type { ProviderOptions, RunningProvider } from "./running-provider.ts";

/** Opens the simulator on the caller's event loop: one process for tests, which have few requests at a time. */
export function startProviderHere({ take, ...options }: ProviderOptions): RunningProvider {
  const { settings, clock } = options;
  let isDraining = false;
  const opened = openProvider({
    ...options,
    log: createLog("provider", settings),
    record: recordExchanges("provider", { settings, take, now: clock.now }),
    isDraining: () => isDraining,
  });
  // Callers that await it get the error; without one it must not count as unhandled.
  opened.catch(() => undefined);
  return {
    opened,
    findProblem: async () => (await opened).findProblem(),
    leadBuyersTo: (url) => void opened.then((provider) => provider.leadBuyersTo(url)).catch(() => undefined),
    drain: () => void (isDraining = true),
    async close(graceMs) {
      await (await opened.catch(() => undefined))?.close(graceMs);
    },
  };
}

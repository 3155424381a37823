import type { Settings } from "../contract/process/settings.ts";
import type { Exchange } from "../http/recording/request-recorder.ts";
import type { AdjustableClock } from "../time/adjustable-clock.ts";
import type { ProviderDeps } from "./create-provider-app.ts";
import type { OpenProvider } from "./open-provider.ts";
import type { SimDocs } from "./sim-docs.ts";

/** The parts that a process gives its simulator, on whichever event loop that runs. */
export interface ProviderOptions {
  readonly settings: Settings;
  /** The run's console token. */
  readonly consoleToken: string;
  readonly apiDocs: SimDocs;
  readonly clock: AdjustableClock;
  /** Receives each recorded call once it has ended. */
  readonly take: (exchange: Exchange) => void;
  /** Receives the simulator's own events. */
  readonly publish: ProviderDeps["publish"];
}

/** A simulator that runs, or will soon. */
export interface RunningProvider {
  /** @throws PortInUseError, or the system's error */
  readonly opened: Promise<Omit<OpenProvider, "server" | "close" | "findProblem" | "leadBuyersTo">>;
  /** The simulator's problem; undefined if it has none. Settles once its event loop runs. */
  readonly findProblem: () => Promise<string | undefined>;
  /** Buyers on other devices get links to this base URL from now on; undefined: to the simulator's own. */
  leadBuyersTo(url: string | undefined): void;
  /** The simulator will be closed soon, and is not ready from now on. */
  drain(): void;
  /** Ends it, even while it opens. All recorded calls have been delivered by then. */
  close(graceMs?: number): Promise<void>;
}

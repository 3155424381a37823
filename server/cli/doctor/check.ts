/** What the checks of `hearth doctor` are made of. */
import type { Settings } from "../../contract/process/settings.ts";
import type { Fork } from "../../supervisor/child.ts";
import type { RunningInstance } from "../../supervisor/instance-lock.ts";

/** `problem`: something does not work, or will not; `warning`: it works, but not for ever or not for all. */
export type FindingState = "ok" | "warning" | "problem";

/** One line for a person: what is so, and for what is wrong what to do. */
export interface Finding {
  readonly check: string;
  readonly state: FindingState;
  readonly text: string;
}

export interface DoctorContext {
  readonly fork: Fork;
  /** This Hearth's. */
  readonly version: string;
  readonly settings: Settings;
  /** The Hearth that runs on the data directory. */
  readonly running: RunningInstance | undefined;
  /** Somebody has the data directory's databases open. */
  readonly inUse: boolean;
  /** Whether contents are read through, not only measured. */
  readonly reads: boolean;
  readonly signal: AbortSignal;
  /** Shows how far a long check is. */
  readonly onProgress: (text: string) => void;
}

/** Changes nothing, wherever it looks. @throws the signal's reason */
export type Check = (context: DoctorContext) => AsyncIterable<Finding>;

/** Makes findings of one check. */
export const findings = (check: string) => ({
  ok: (text: string): Finding => ({ check, state: "ok", text }),
  warning: (text: string): Finding => ({ check, state: "warning", text }),
  problem: (text: string): Finding => ({ check, state: "problem", text }),
});

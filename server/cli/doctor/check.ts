/** The types of `hearth doctor`'s checks. */
import type { Settings } from "../../contract/process/settings.ts";
import type { SettingOrigins } from "../../process/settings/read-settings.ts";
import type { Fork } from "../../supervisor/processes/child.ts";
import type { RunningInstance } from "../../supervisor/data-directory/instance-lock.ts";

/** `problem`: something fails, or will fail; `warning`: it works, but not permanently or not for everybody. */
export type FindingState = "ok" | "warning" | "problem";

/** One line for a person: the state, and advice for a problem. */
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
  readonly origins: SettingOrigins;
  /** The Hearth that runs on the data directory. */
  readonly running: RunningInstance | undefined;
  /** A process has the data directory's databases open. */
  readonly inUse: boolean;
  /** Whether contents are read completely, or only measured. */
  readonly reads: boolean;
  readonly signal: AbortSignal;
  /** Shows the progress of a long check. */
  readonly onProgress: (text: string) => void;
}

/** Never changes anything. @throws the signal's reason */
export type DoctorCheck = (context: DoctorContext) => AsyncIterable<Finding>;

/** Makes the findings of one check. */
export const findings = (check: string) => ({
  ok: (text: string): Finding => ({ check, state: "ok", text }),
  warning: (text: string): Finding => ({ check, state: "warning", text }),
  problem: (text: string): Finding => ({ check, state: "problem", text }),
});

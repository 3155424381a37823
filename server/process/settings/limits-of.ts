import type { Settings } from "../../contract/process/settings.ts";
import { possibleConnections } from "../open-files.ts";

export type LimitSettings = Pick<
  Settings,
  "max_connections" | "max_body_memory_mb" | "body_idle_seconds" | "body_total_seconds"
>;

/** A service's limits in the form that its listener takes. */
export const limitsOf = (settings: LimitSettings) => ({
  maxConnections: possibleConnections(settings),
  bodyIdleMs: settings.body_idle_seconds * 1_000,
  bodyTotalMs: settings.body_total_seconds * 1_000,
  maxBodyMemory: settings.max_body_memory_mb * 1_048_576,
});

/** The limits of a service. */
export interface ServerLimits {
  /** The most connections; the setting max_connections, or the system's limit. */
  readonly maxConnections: number;
  /** The longest pause within a body, in ms; the setting body_idle_seconds. */
  readonly bodyIdleMs: number;
  /** The longest time for a buffered body, in ms; the setting body_total_seconds. */
  readonly bodyTotalMs: number;
  /** The most bytes of buffered bodies; the setting max_body_memory_mb. */
  readonly maxBodyMemory: number;
  /** Called when much of that memory was freed, and nothing is buffered any more. */
  readonly onBodiesFreed?: () => void;
}

/** The defaults of the settings. */
export const defaultLimits: ServerLimits = {
  maxConnections: 2_000,
  bodyIdleMs: 30_000,
  bodyTotalMs: 300_000,
  maxBodyMemory: 256 * 1_048_576,
};

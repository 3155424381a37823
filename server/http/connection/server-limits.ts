/** What a service takes at a time. */
export interface ServerLimits {
  /** Connections that are served; the setting max_connections, or what the system allows. */
  readonly maxConnections: number;
  /** How long a body may send no byte, in ms; the setting body_idle_seconds. */
  readonly bodyIdleMs: number;
  /** How long a body may take that is kept until it is whole, in ms; the setting body_total_seconds. */
  readonly bodyTotalMs: number;
  /** Bytes of bodies that are kept at a time; the setting max_body_memory_mb. */
  readonly maxBodyMemory: number;
  /** Called when much of that has become free, and nothing is kept any more. */
  readonly onBodiesFreed?: () => void;
}

/** The settings' own defaults. */
export const defaultLimits: ServerLimits = {
  maxConnections: 2_000,
  bodyIdleMs: 30_000,
  bodyTotalMs: 300_000,
  maxBodyMemory: 256 * 1_048_576,
};

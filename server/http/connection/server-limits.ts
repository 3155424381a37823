/** The limits of a service. */
export interface ServerLimits {
  /** The most connections that the process serves at a time. */
  readonly maxConnections: number;
  /** The longest pause within a body, in ms. */
  readonly bodyIdleMs: number;
  /** The longest time for a buffered body, in ms. */
  readonly bodyTotalMs: number;
  /** The most bytes of buffered bodies of all requests together. */
  readonly maxBodyMemory: number;
  readonly maxEventStreams: number;
  /** Called when much of that memory was freed, and nothing is buffered any more. */
  readonly onBodiesFreed?: () => void;
}

/** Generous for a client on this machine; a stalled or hostile one still ends. Tests set others. */
export const defaultLimits: ServerLimits = {
  maxConnections: 2_000,
  bodyIdleMs: 30_000,
  bodyTotalMs: 300_000,
  maxBodyMemory: 256 * 1_048_576,
  // 1,000 pages that watch, and fewer than the connections.
  maxEventStreams: 1_100,
};

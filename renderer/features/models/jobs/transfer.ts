/** The progress of a pull, from its lines. Sizes in bytes. */
import type { ProgressLine } from "../../../../server/contract/model/ollama-library.ts";

export interface LayerProgress {
  readonly digest: string;
  readonly total: number;
  readonly completed: number;
}

export interface Transfer {
  /** The service's last status. */
  readonly status: string;
  readonly layers: readonly LayerProgress[];
  /** Recent bytes per second; undefined while unknown. */
  readonly speed: number | undefined;
}

/** Returns a function that takes the total bytes received, and computes the speed of the last seconds. */
export type Meter = (layers: readonly LayerProgress[]) => number | undefined;

const windowMs = 4_000;
const leastMs = 400;

export function createMeter(now: () => number): Meter {
  /** A layer's bytes in its first line: they came earlier, or from another pull. */
  const before = new Map<string, number>();
  const samples: { at: number; bytes: number }[] = [];
  return (layers) => {
    const at = now();
    for (const { digest, completed } of layers) if (!before.has(digest)) before.set(digest, completed);
    const bytes = layers.reduce((sum, { digest, completed }) => sum + completed - (before.get(digest) ?? 0), 0);
    samples.push({ at, bytes });
    while (samples.length > 2 && at - (samples[0]?.at ?? at) > windowMs) samples.shift();
    const [first] = samples;
    if (!first || at - first.at < leastMs) return undefined;
    return Math.max(0, (bytes - first.bytes) / ((at - first.at) / 1000));
  };
}

export function withLine(transfer: Transfer, line: ProgressLine, meter: Meter): Transfer {
  const { digest, total, completed = 0, status } = line;
  if (digest === undefined || total === undefined) return { ...transfer, status };
  const layer = { digest, total, completed };
  const known = transfer.layers.some((one) => one.digest === digest);
  const layers = known
    ? transfer.layers.map((one) => (one.digest === digest ? layer : one))
    : [...transfer.layers, layer];
  return { status, layers, speed: meter(layers) };
}

export function sumOf(layers: readonly LayerProgress[]): { completed: number; total: number } {
  return layers.reduce(
    (sum, { completed, total }) => ({ completed: sum.completed + completed, total: sum.total + total }),
    { completed: 0, total: 0 },
  );
}

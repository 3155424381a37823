/** Counts recent requests and their durations, in time steps. It keeps nothing of the requests themselves. */
import type { Traffic } from "../../contract/console/requests.ts";

export interface TrafficMeter {
  /** Records an exchange that ends now. `status` is absent without an answer. */
  count: (call: { readonly ms: number; readonly status?: number }) => void;
  /** The last five minutes, oldest first; the last step is not over yet. */
  read: () => Traffic;
}

const stepMs = 5_000;
const steps = 60;
/** Durations kept of each step, as a random sample: enough for percentiles. */
const mostSamples = 500;

interface Step {
  /** Number of the current step since 1970. */
  readonly number: number;
  requests: number;
  failed: number;
  readonly samples: number[];
}

/** @param now Unix time in ms */
export function createTrafficMeter(now: () => number): TrafficMeter {
  const ring: Step[] = [];
  const current = () => {
    const number = Math.floor(now() / stepMs);
    const last = ring.at(-1);
    if (last?.number === number) return last;
    const step: Step = { number, requests: 0, failed: 0, samples: [] };
    if (ring.push(step) > steps) ring.shift();
    return step;
  };
  return {
    count({ ms, status }) {
      const step = current();
      step.requests += 1;
      if (status === undefined || status >= 500) step.failed += 1;
      if (step.samples.length < mostSamples) step.samples.push(ms);
      else {
        const place = Math.floor(Math.random() * step.requests);
        if (place < mostSamples) step.samples[place] = ms;
      }
    },
    read() {
      const latest = Math.floor(now() / stepMs);
      const known = new Map(ring.map((step) => [step.number, step]));
      const points = Array.from({ length: steps }, (_, index) => latest - steps + 1 + index).map((number) => {
        const { requests = 0, failed = 0, samples = [] } = known.get(number) ?? {};
        const sorted = samples.toSorted((a, b) => a - b);
        const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1];
        const [half, most] = [at(0.5), at(0.95)];
        return {
          at: number * stepMs,
          requests,
          failed,
          ...(half !== undefined && most !== undefined && { p50_ms: half, p95_ms: most }),
        };
      });
      return { step_ms: stepMs, points };
    },
  };
}

/** Counts recent requests and their durations, in time steps. It keeps nothing of the requests themselves. */
import type { Traffic } from "../../contract/console/traffic/histogram.ts";
import type { RequestSender, RequestService } from "../../contract/console/traffic/requests.ts";

interface Call {
  readonly service: RequestService;
  readonly ms: number;
  /** Undefined without an answer. */
  readonly status?: number | undefined;
}

const stepMs = 5_000;
const steps = 60;
/** Durations kept of each step and of each of its edges, as random samples: enough for percentiles. */
const mostSamples = 500;
const mostEdgeSamples = 50;

interface Tally {
  requests: number;
  failed: number;
  readonly samples: number[];
}

/** A step; `number` counts them since 1970. */
interface Step extends Tally {
  readonly number: number;
  readonly edges: Map<string, Tally & { lastAt: number }>;
}

type Edge = Traffic["edges"][number];

const newTally = (): Tally => ({ requests: 0, failed: 0, samples: [] });

function add(tally: Tally, { ms, status }: Call, most: number): void {
  tally.requests += 1;
  if (status === undefined || status >= 500) tally.failed += 1;
  if (tally.samples.length < most) tally.samples.push(ms);
  else {
    const place = Math.floor(Math.random() * tally.requests);
    if (place < most) tally.samples[place] = ms;
  }
}

/** The durations that a share of the calls did not exceed; undefined without calls. */
function percentiles(samples: readonly number[], ...shares: readonly number[]): (number | undefined)[] {
  const sorted = samples.toSorted((a, b) => a - b);
  return shares.map((share) => sorted[Math.ceil(sorted.length * share) - 1]);
}

/** The edges of all steps together, in the order of their names. */
function edgesOf(ring: readonly Step[]): Edge[] {
  return [...new Set(ring.flatMap(({ edges }) => [...edges.keys()]))].sort().map((key) => {
    const tallies = ring.flatMap(({ edges }) => edges.get(key) ?? []);
    const [sender, service] = key.split(" ") as [RequestSender, RequestService];
    const sum = (member: "requests" | "failed") => tallies.reduce((all, tally) => all + tally[member], 0);
    const [p95_ms = 0] = percentiles(
      tallies.flatMap(({ samples }) => samples),
      0.95,
    );
    const last_at = Math.max(...tallies.map(({ lastAt }) => lastAt));
    return { sender, service, requests: sum("requests"), failed: sum("failed"), p95_ms, last_at };
  });
}

export type TrafficMeter = ReturnType<typeof createTrafficMeter>;

/** @param now Unix time in ms */
export function createTrafficMeter(now: () => number) {
  const ring: Step[] = [];
  const current = () => {
    const number = Math.floor(now() / stepMs);
    const last = ring.at(-1);
    if (last?.number === number) return last;
    const step: Step = { number, ...newTally(), edges: new Map() };
    if (ring.push(step) > steps) ring.shift();
    return step;
  };
  return {
    /** Counts a call that ends now. */
    count(call: Call, sender: RequestSender): void {
      const step = current();
      add(step, call, mostSamples);
      const key = `${sender} ${call.service}`;
      const edge = step.edges.get(key) ?? { ...newTally(), lastAt: 0 };
      edge.lastAt = now();
      step.edges.set(key, edge);
      add(edge, call, mostEdgeSamples);
    },
    /** The last five minutes, oldest first; the last step is not over yet. */
    read(): Traffic {
      const latest = Math.floor(now() / stepMs);
      const known = new Map(ring.map((step) => [step.number, step]));
      const numbers = Array.from({ length: steps }, (_, index) => latest - steps + 1 + index);
      const points = numbers.map((number) => {
        const { requests = 0, failed = 0, samples = [] } = known.get(number) ?? {};
        const [half, most] = percentiles(samples, 0.5, 0.95);
        return {
          at: number * stepMs,
          requests,
          failed,
          ...(half !== undefined && most !== undefined && { p50_ms: half, p95_ms: most }),
        };
      });
      return { step_ms: stepMs, points, edges: edgesOf(numbers.flatMap((number) => known.get(number) ?? [])) };
    },
  };
}

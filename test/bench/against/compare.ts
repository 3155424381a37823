/**
 * The same work on two checkouts, in turns: CPU time for each request and requests/s, as ratios of this checkout's to the
 * other's, pair by pair. CPU time is what is judged: on a shared machine two runs of one commit differ by a third in
 * requests/s. Each pair has processes of its own, for one process of a commit differs from the next, too.
 */
import { medianInterval, type Interval } from "../statistics.ts";
import type { Turn } from "../turn.ts";

export interface Work {
  readonly name: string;
  readonly ours: () => Promise<Turn>;
  readonly theirs: () => Promise<Turn>;
  /** A turn before those that count, in which the processes compile what is hot. */
  readonly warmsUp: boolean;
}

/** Ratios of one pair of turns. */
interface Ratios {
  readonly cpu: number;
  readonly rate: number;
}

/** At most so much more CPU time counts as unchanged, and an interval wider than this tells nothing. */
const most = 1.05;
const widest = 0.1;

/** The one that comes second finds a warmer machine: they take turns at that. */
async function takeTurns({ ours, theirs, warmsUp }: Work, theirsFirst: boolean): Promise<Ratios> {
  const both = async () => {
    const early = theirsFirst ? await theirs() : undefined;
    const one = await ours();
    return { one, other: early ?? (await theirs()) };
  };
  if (warmsUp) await both();
  const { one, other } = await both();
  return {
    cpu: one.cpuMs / one.requests / (other.cpuMs / other.requests),
    rate: one.requests / one.seconds / (other.requests / other.seconds),
  };
}

const shown = ({ median, low, high }: Interval) => `${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;

function judge(name: string, ratios: readonly Ratios[]): boolean {
  const cpu = medianInterval(ratios.map((one) => one.cpu));
  const rate = medianInterval(ratios.map((one) => one.rate));
  const isOpen = cpu.high - cpu.low > widest && cpu.low <= most;
  const verdict = isOpen ? "not resolved" : cpu.high <= most ? "unchanged" : "CHANGED";
  console.log(`  ${verdict.padEnd(12)} ${name}: CPU time ${shown(cpu)}, requests/s ${shown(rate)}`);
  return verdict === "unchanged";
}

interface Limits {
  readonly pairs: number;
  /** No pair begins after this time. */
  readonly withinMs: number;
}

/**
 * `eachPair` starts both sides anew, calls back with the works, and ends them.
 * @returns true where no work costs more than before
 */
export async function compare(
  { pairs, withinMs }: Limits,
  eachPair: (use: (works: readonly Work[]) => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const measured = new Map<string, Ratios[]>();
  const beganMs = performance.now();
  for (let pair = 0; pair < pairs && performance.now() - beganMs < withinMs; pair++) {
    await eachPair(async (works) => {
      for (const work of works) {
        const ratios = measured.get(work.name) ?? [];
        measured.set(work.name, ratios);
        ratios.push(await takeTurns(work, pair % 2 === 1));
      }
    });
    const seconds = Math.round((performance.now() - beganMs) / 1000);
    console.log(`  pair ${String(pair + 1)} of ${String(pairs)}, ${String(seconds)} s`);
  }
  return [...measured].map(([name, ratios]) => judge(name, ratios)).every(Boolean);
}

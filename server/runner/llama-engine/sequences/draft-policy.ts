/**
 * How many tokens are drafted: as many as pay, by what it took so far. A draft that is refuted costs the time of its
 * evaluation, so drafts are paid for from a credit, which those that were right fill and all others empty.
 */
export interface DraftStep {
  /** Tokens that were guessed and evaluated, and tokens that came out: one, and one for each that was right. */
  readonly drafted: number;
  readonly drawn: number;
  /** What it took, if that was measured. */
  readonly ms: number | undefined;
}

export interface DraftPolicy {
  /** A generation begins: what earlier ones have saved is not wasted on it. */
  begin(): void;
  /** How many tokens to draft, at most `room`, when the last `matched` tokens were foreseen. */
  most(matched: number, room: number): number;
  /** Tells of a step that no other generation shared. */
  observe(step: DraftStep): void;
}

/** With the token before them 4, 8 and 16: the engine's products of matrices take four rows at a time. */
const lengths = [15, 7, 3];
/** Where no more than this are possible. */
const shortest = 2;
/** Foreseen tokens that a short draft needs; a longer one needs more in proportion. */
const leastMatched = 4;
const mostMatched = 64;
/** Credit in steps of one token: at the start of a generation, at most, and for each step without a draft. */
const firstCredit = 2;
const mostCredit = 12;
const earned = 0.02;
/** Time of an evaluation of several tokens before one was seen, in parts of that of one token each. */
const draftedShare = 0.65;
/** A step that takes this many times what its like takes was held up. */
const outlier = 2;
/** A draft that is right must save this part of its tokens' time, or it is not worth while. */
const worthwhile = 0.9;

/** A mean that follows slowly, and single outliers hardly at all. */
function createMean() {
  let mean: number | undefined;
  let count = 0;
  return {
    get value() {
      return mean;
    },
    add(ms: number): void {
      const share = Math.max(0.1, 1 / ++count);
      mean = mean === undefined ? ms : mean + share * (Math.min(ms, 3 * mean) - mean);
    },
  };
}

export function createDraftPolicy(): DraftPolicy {
  const single = createMean();
  const several = new Map([...lengths, shortest].map((length) => [length, createMean()]));
  let credit = firstCredit;
  let needed = leastMatched;

  /** What the evaluation of a draft takes, in steps of one token. */
  function costOf(length: number, singleMs: number): number {
    const ms = several.get(length)?.value;
    return ms === undefined ? draftedShare * (length + 1) : ms / singleMs;
  }

  return {
    begin() {
      credit = Math.min(credit, firstCredit);
    },
    most(matched, room) {
      const singleMs = single.value;
      if (singleMs === undefined) return 0;
      const fits = (length: number) => {
        const cost = costOf(length, singleMs);
        const isSure = matched >= needed && matched * (leastMatched - 1) >= needed * length;
        return isSure && credit >= cost - 1 && cost <= worthwhile * (length + 1);
      };
      const possible = room < leastMatched - 1 ? [shortest] : lengths;
      return possible.find((length) => length <= room && fits(length)) ?? 0;
    },
    observe({ drafted, drawn, ms }) {
      if (drafted === 0) {
        if (ms !== undefined) single.add(ms);
        credit = Math.min(mostCredit, credit + earned);
        return;
      }
      if (ms === undefined) return;
      const singleMs = single.value ?? ms;
      // What held one step up for long has nothing to do with its draft.
      const gain = drawn - Math.min(ms / singleMs, outlier * costOf(drafted, singleMs));
      several.get(drafted)?.add(ms);
      credit = Math.min(mostCredit, credit + gain);
      needed = gain > 0 ? leastMatched : Math.min(mostMatched, 2 * needed);
    },
  };
}

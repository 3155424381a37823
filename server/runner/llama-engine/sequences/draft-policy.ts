/**
 * Decides how many tokens a step drafts, from the measured cost of earlier steps. A rejected draft costs the time of
 * its evaluation. Drafts are therefore paid from a credit: accepted drafts fill it, rejected ones empty it.
 */
export interface DraftStep {
  /** Tokens drafted and evaluated; tokens drawn, which are one more than the accepted drafts. */
  readonly drafted: number;
  readonly drawn: number;
  /** CPU time, where it was measured. */
  readonly ms: number | undefined;
}

export interface DraftPolicy {
  /** Starts a generation, which cannot spend the credit of earlier ones. */
  begin(): void;
  /** The number of tokens to draft, at most `room`, when the last `matched` tokens matched an earlier text. */
  most(matched: number, room: number): number;
  /** Records a step that no other generation took part in. */
  observe(step: DraftStep): void;
}

/** Together with the token before them they make 16, 8 and 4: the engine multiplies four rows at a time. */
const lengths = [15, 7, 3];
/** Used where the room is smaller than every length above. */
const shortest = 2;
/** Matched tokens that a short draft needs. A longer draft needs proportionally more. */
const leastMatched = 4;
const mostMatched = 64;
/** Credit, in steps of one token: at the start of a generation, at most, and earned by each step without a draft. */
const firstCredit = 2;
const mostCredit = 12;
const earned = 0.02;
/** Assumed cost of a drafted token until one was measured, as a share of a step of one token. */
const draftedShare = 0.65;
/** A step that takes this many times its expected cost was delayed by something else. */
const outlier = 2;
/** An accepted draft must cost at most this share of the steps that it replaces. */
const worthwhile = 0.9;

/** A moving mean on which single outliers have little effect. */
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

  /** The cost of evaluating a draft, in steps of one token. */
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
      // A long delay has nothing to do with the draft.
      const gain = drawn - Math.min(ms / singleMs, outlier * costOf(drafted, singleMs));
      several.get(drafted)?.add(ms);
      credit = Math.min(mostCredit, credit + gain);
      needed = gain > 0 ? leastMatched : Math.min(mostMatched, 2 * needed);
    },
  };
}

/** What may be spent on one grammar, in steps that take about a microsecond: others wait meanwhile. */
import { GrammarLimitError } from "./grammar-size.ts";

const mostSteps = 2_000_000;
/** Of the grammar that is being made; one is made at a time, without a pause. */
let left = Infinity;

/** Makes a grammar. @throws GrammarLimitError */
export function withinBudget<Made>(make: () => Made): Made {
  const outer = left;
  left = mostSteps;
  try {
    return make();
  } finally {
    left = outer;
  }
}

/** @throws GrammarLimitError when the grammar that is being made has taken too many steps */
export function spend(steps: number): void {
  left -= steps;
  if (left < 0) throw new GrammarLimitError("its parts together take too long to work out");
}

/** The budget of one grammar, in steps of about a microsecond: other requests wait meanwhile. */
import { GrammarLimitError } from "./grammar-size.ts";

const mostSteps = 2_000_000;
/** Steps left for the grammar that is being made. Grammars are made one at a time, without a pause. */
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
  if (left < 0) throw new GrammarLimitError("compiling its parts takes too long");
}

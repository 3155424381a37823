/** A grammar that may begin in the middle of a generation, behind one of several texts. */
import type { Grammar } from "../../../contract/model/runner.ts";

export interface LateGrammar {
  /** Whether the grammar has begun. */
  readonly isActive: boolean;
  /**
   * Takes the text of the next token. When the grammar begins within it, says how much of the text came before: what is
   * behind was chosen without the grammar and must not stay.
   */
  push(piece: string): number | undefined;
}

export function createLateGrammar({ after = [] }: Pick<Grammar, "after">): LateGrammar {
  let isActive = after.length === 0;
  const longest = Math.max(0, ...after.map((text) => text.length));
  let before = "";
  return {
    get isActive() {
      return isActive;
    },
    push(piece) {
      if (isActive) return undefined;
      const text = before + piece;
      const ends = after.flatMap((trigger) => {
        const at = text.indexOf(trigger);
        return at < 0 ? [] : [at + trigger.length];
      });
      // A whole text in `before` would have been found when its last character came.
      if (ends.length === 0) before = text.slice(text.length - Math.min(text.length, longest - 1));
      else isActive = true;
      return isActive ? Math.min(...ends) - before.length : undefined;
    },
  };
}

/** A grammar that may begin in the middle of a generation, after one of several texts. */
import type { Grammar } from "../../../contract/model/runner.ts";

export interface LateGrammar {
  /** Whether the grammar has begun. */
  readonly isActive: boolean;
  /**
   * Takes the text of the next token. If the grammar begins within it, returns how much of the text came before. The
   * rest was chosen without the grammar and must be dropped.
   */
  push(piece: string): number | undefined;
  /** Begins at once. Returns the text that should have come before; "" once it has begun. */
  begin(): string;
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
      // `before` cannot hold a whole text: it would have been found with its last character.
      if (ends.length === 0) before = text.slice(text.length - Math.min(text.length, longest - 1));
      else isActive = true;
      return isActive ? Math.min(...ends) - before.length : undefined;
    },
    begin() {
      const [closing = ""] = isActive ? [] : after;
      isActive = true;
      return closing;
    },
  };
}

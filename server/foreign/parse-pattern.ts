/** A regular expression that a stranger wrote, as a tree. */
import { RegExpParser, RegExpValidator, type AST } from "@eslint-community/regexpp";

/** Groups in groups: the parser, and who walks the tree, call themselves for each. */
const deepest = 100;

/** @throws RangeError for groups that are nested too deep, SyntaxError */
function parse(source: string, unicode: boolean): AST.Pattern {
  let depth = 0;
  const enter = () => {
    if (++depth > deepest) throw new RangeError(`groups are nested deeper than ${String(deepest)} levels`);
  };
  const leave = () => void depth--;
  const validator = new RegExpValidator({
    onGroupEnter: enter,
    onGroupLeave: leave,
    onCapturingGroupEnter: enter,
    onCapturingGroupLeave: leave,
    onLookaroundAssertionEnter: enter,
    onLookaroundAssertionLeave: leave,
  });
  validator.validatePattern(source, 0, source.length, unicode);
  return new RegExpParser().parsePattern(source, 0, source.length, unicode);
}

/**
 * The pattern read with the flag `u`, or without it where that is no regular expression.
 * @throws RangeError for groups that are nested too deep, SyntaxError; both say what is wrong
 */
export function parsePattern(source: string): AST.Pattern {
  try {
    return parse(source, true);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parse(source, false);
  }
}

/** Parses a regular expression from an untrusted source to a tree. */
import { RegExpParser, RegExpValidator, type AST } from "@eslint-community/regexpp";

/** The limit of nested groups, for which the parser and the readers of the tree recurse. */
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
 * Parses a pattern with the flag `u`, or without it if that fails.
 * @throws RangeError for groups that are nested too deep, SyntaxError; both describe the problem
 */
export function parsePattern(source: string): AST.Pattern {
  try {
    return parse(source, true);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return parse(source, false);
  }
}

import { RegExpParser, type AST } from "@eslint-community/regexpp";
import { expect, it } from "vitest";
import { setOf } from "../../../../server/model/grammar/text/character-sets.ts";
import { codePointsMatching } from "../../../../server/model/grammar/text/code-points.ts";

it.each(["\\s", "\\d", "\\w", "\\S", "\\D", "\\W", "."])("knows the characters of %s as JavaScript does", (source) => {
  const [element] = new RegExpParser().parsePattern(source, 0, source.length, true).alternatives[0]?.elements ?? [];
  expect(setOf(element as AST.CharacterSet)).toEqual(codePointsMatching(new RegExp(source, "u")));
});

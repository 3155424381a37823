import fc from "fast-check";
import { expect, it, onTestFinished, vi } from "vitest";
import { earlierArguments } from "../../../../server/model/chat/answer/json-in-text.ts";

it("arguments that are cut anywhere have their members, all but possibly the one at the cut", () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue()).map((given) => JSON.stringify(given));
  fc.assert(
    fc.property(objects, fc.nat(), (text, place) => {
      const whole = JSON.parse(text) as Record<string, unknown>;
      const at = 1 + (place % text.length);
      const got = earlierArguments(text.slice(0, at)) ?? expect.fail(text.slice(0, at));
      const names = Object.keys(whole);
      expect(Object.keys(got)).toEqual(names.slice(0, Object.keys(got).length));
      for (const name of Object.keys(got)) expect(got[name]).toEqual(whole[name]);
      const pieces = names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(whole[name])},`);
      const areWhole = pieces.filter((_piece, index) => pieces.slice(0, index + 1).join("").length < at);
      expect(Object.keys(got).length).toBeGreaterThanOrEqual(areWhole.length);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  ['{"a":1,', { a: 1 }],
  ['{"a":1 ', { a: 1 }],
  ['{"a":1,"b":"x"', { a: 1, b: "x" }],
  ['{"a":1,"b":{"c":[]}', { a: 1, b: { c: [] } }],
  ['{"a":1,"b":1', { a: 1 }],
  ['{"a":1,"b":true', { a: 1 }],
  ['{"a":1,"b":"x\\u00', { a: 1 }],
  ['{"a":"x\\', {}],
  ['{"a":[1,-', {}],
  ['{"2":1,"1":', { 2: 1 }],
])("of %s, the members that are certainly whole are kept", (text, members) => {
  expect(earlierArguments(text)).toEqual(members);
});

it.each([
  "{bad",
  "{'a':1",
  '{"a" 1, "b": 2',
  '{"a":tru,"b":1',
  '{"a":tr ',
  '{"a":[1}',
  '{"a":1,,',
  '{,"a":1',
  '{"a":01',
  '{"a":"\\x',
  '{"a":"\n',
])("%j is the beginning of no object", (text) => {
  expect(earlierArguments(text)).toBeUndefined();
});

it.each(["a", "\\n"])("long arguments that are cut have no limit of their own: of %j", (piece) => {
  expect(earlierArguments(`{"a":1,"b":"${piece.repeat(32_000_000 / piece.length)}`)).toEqual({ a: 1 });
});

it.each(['{"a":1,"b":nul', '{"a":1,"b":"x\\u0', '{"a":1,"b', '{"a":1,"b":[{"c":-', '{"a":1,"b":tru]'])(
  "however long arguments are that are cut, they are read at most twice: %s",
  (text) => {
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    earlierArguments(text);
    expect(parse.mock.calls.length).toBeLessThanOrEqual(2);
  },
);

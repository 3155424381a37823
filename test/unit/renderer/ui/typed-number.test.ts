import { expect, it } from "vitest";
import { numberOf, displayedNumber, type TypedNumber } from "../../../../renderer/ui/forms/typed-number.ts";

/** What the field shows after each key, and the value it ends with, where its owner keeps just the number. */
function type(keys: readonly TypedNumber[], before?: number) {
  let value = before;
  const shown = keys.map((key) => {
    value = numberOf(key);
    return displayedNumber(key, value);
  });
  return { shown, value };
}

it.each<{ keys: TypedNumber[]; ends: number | undefined }>([
  { keys: [0, "0.", 0.7], ends: 0.7 },
  { keys: [1, "1.", "1.0", 1.05], ends: 1.05 },
  { keys: ["-", "-0", "-0.", -0.5], ends: -0.5 },
  { keys: [0, "05"], ends: 5 },
  { keys: ["-"], ends: undefined },
  { keys: [""], ends: undefined },
])("A number field keeps what is half typed: $keys", ({ keys, ends }) => {
  expect(type(keys, 3)).toEqual({ shown: keys, value: ends });
});

it("A number field shows a value that was not typed into it", () => {
  expect(displayedNumber("0.", 0.5)).toBe(0.5);
  expect(displayedNumber(7, undefined)).toBe("");
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { withEndsOf, withPlainEnds } from "../../../../renderer/ui/code/line-ends.ts";

/** Lines that do not end with `\r` themselves. */
const lines = fc.array(
  fc.string().map((line) => line.replace(/[\r\n]/g, "")),
  { minLength: 2 },
);

describe("The lines of an edited text", () => {
  it("end as they did before, where all ended alike", () => {
    fc.assert(
      fc.property(lines, lines, fc.constantFrom("\n", "\r\n"), (before, after, end) => {
        expect(withEndsOf(before.join(end), after.join("\n"))).toBe(after.join(end));
      }),
    );
  });

  it("are the same text again where nothing is edited, and end with \\n where they ended in several ways", () => {
    expect(withEndsOf("a\r\nb\r\n", withPlainEnds("a\r\nb\r\n"))).toBe("a\r\nb\r\n");
    for (const mixed of ["a\r\nb\n", "a\rb", "a\r\nb\r", "one line"]) expect(withEndsOf(mixed, "x\ny")).toBe("x\ny");
  });
});

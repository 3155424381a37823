import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import fc from "fast-check";
import { expect, it } from "vitest";
import { DelimiterPadding } from "../../../server/app/uploads/delimiter-padding.ts";

const boundary = "b-b";

/** The body without padding, when it comes in pieces that end at `cuts`. */
async function withoutPadding(body: string, cuts: readonly number[] = []): Promise<string> {
  const bytes = Buffer.from(body, "latin1");
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
  const sent = Readable.from(pieces.filter(({ length }) => length > 0));
  return (await buffer(sent.pipe(new DelimiterPadding(boundary)))).toString("latin1");
}

/** The rule as one expression over the whole body. */
const expected = (body: string) => body.replace(/(^|\r\n)(--b-b)[ \t]{0,998}(?=\r\n)/g, "$1$2");

it.each([
  ["--b-b \r\na\r\n--b-b\t \r\nb\r\n--b-b--", "--b-b\r\na\r\n--b-b\r\nb\r\n--b-b--"],
  ["preamble\r\n--b-b \r\n--b-b \r\n", "preamble\r\n--b-b\r\n--b-b\r\n"],
  ["a--b-b \r\n", "a--b-b \r\n"],
  ["\n--b-b \r\n", "\n--b-b \r\n"],
  ["--b-b \n", "--b-b \n"],
  ["--b-b  --", "--b-b  --"],
  ["--b-b c\r\n", "--b-b c\r\n"],
  [`--b-b${" ".repeat(998)}\r\n`, "--b-b\r\n"],
  [`--b-b${" ".repeat(999)}\r\n`, `--b-b${" ".repeat(999)}\r\n`],
  ["--b-b \r", "--b-b \r"],
  ["", ""],
])("%j becomes %j, also when each byte comes alone", async (body, stripped) => {
  expect(expected(body)).toBe(stripped);
  expect(await withoutPadding(body)).toBe(stripped);
  expect(
    await withoutPadding(
      body,
      Array.from(body, (_byte, index) => index),
    ),
  ).toBe(stripped);
});

it("only padding is removed, however the body is cut", async () => {
  const piece = fc.constantFrom("\r\n", "--b-b", "\r\n--b-b", " ", "\t", " ".repeat(990), "\r", "\n", "-", "b", "--");
  const bodies = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
  await fc.assert(
    fc.asyncProperty(bodies, fc.array(fc.nat(), { maxLength: 20 }), async (body, cuts) => {
      expect(await withoutPadding(body, cuts)).toBe(expected(body));
    }),
    { numRuns: 1000 },
  );
});

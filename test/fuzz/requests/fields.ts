/** Members of bodies, as every format has them. */
import fc from "fast-check";
import { anyText, knownNames } from "../inputs/texts.ts";

/** Values that a field may well have, so that bodies get past the first check. */
const plausible: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  title: fc.string({ unit: "binary", minLength: 1, maxLength: 30 }),
  body: anyText,
  private: fc.constantFrom(true, false, "true", 1),
  entries: fc.array(anyText, { maxLength: 5 }),
  prizes: fc.integer({ min: -1, max: 6 }),
  user: fc.stringMatching(/^[a-z]{1,8}$/),
  password: fc.constantFrom("short", "", 5),
  code: anyText,
  errMsg: fc.constantFrom("getUserInfo:ok", "getPhoneNumber:ok", "getUserInfo:fail auth deny"),
  rawData: fc.oneof(fc.json({ maxDepth: 2 }), anyText),
  signature: fc.constantFrom("75e81ceda165f4ffa64f4068af58c64b8f54b88c", "", "x"),
  encryptedData: fc.oneof(fc.base64String({ maxLength: 64 }), anyText),
  iv: fc.constantFrom("r7BXXKkLb8qrSNn05n0qiA==", "", "AAAA", "!"),
  df: anyText,
  ev: fc.constantFrom("modify", "create", "MOVE", 0, 9),
  type: anyText,
};

const name = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...knownNames) }, { weight: 1, arbitrary: anyText });
export const member = (value: fc.Arbitrary<unknown>) =>
  name.chain((key) =>
    fc.tuple(
      fc.constant(key),
      fc.oneof(
        { weight: 3, arbitrary: Object.hasOwn(plausible, key) ? (plausible[key] ?? value) : value },
        { weight: 1, arbitrary: value },
      ),
    ),
  );

/** What every operation takes: each picks out the members that it knows. */
export const complete: fc.Arbitrary<Record<string, unknown>> = fc.record({
  title: fc.string({ minLength: 1, maxLength: 20 }),
  body: anyText,
  private: fc.boolean(),
  entries: fc.array(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 4 }),
  prizes: fc.constantFrom(1, 2),
  user: fc.stringMatching(/^[a-z]{8}$/),
  password: fc.constantFrom("long enough", "short", "short", "short"),
  code: fc.stringMatching(/^[0-9a-f]{8,32}$/),
  errMsg: fc.constantFrom("getUserInfo:ok", "getPhoneNumber:ok"),
  rawData: fc.json({ maxDepth: 1 }),
  signature: fc.constant("75e81ceda165f4ffa64f4068af58c64b8f54b88c"),
  encryptedData: fc.base64String({ maxLength: 64 }),
  iv: fc.constantFrom("r7BXXKkLb8qrSNn05n0qiA==", "AAAA"),
  df: anyText.filter((text) => text !== ""),
  ev: fc.constantFrom("modify", "attrib", "move", "create", "delete"),
  pages: fc.integer({ min: 1 }),
  price: fc.integer({ min: 0, max: 99 }).map((quarters) => quarters / 4),
  stock: fc.boolean(),
  isbn: fc.stringMatching(/^[0-9]{10}$/),
  genre: fc.constantFrom("novel", "poems"),
  tags: fc.uniqueArray(anyText, { maxLength: 3 }),
  publisher: fc.record({ name: anyText, phone: anyText }),
  text: anyText,
  labels: fc.dictionary(anyText, anyText, { maxKeys: 3 }),
  when: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
  count: fc.option(fc.integer()),
  anything: fc.jsonValue({ maxDepth: 2 }),
});

/** Complete but for a member or two. */
export const nearlyComplete = fc
  .tuple(complete, fc.array(member(fc.jsonValue({ maxDepth: 2 })), { maxLength: 2 }))
  .map(([whole, changes]) => ({ ...whole, ...Object.fromEntries(changes) }));

/** What zod writes for its formats of strings is enforceable, and what the grammars generate is what zod itself takes. */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { formatGrammar } from "../../../../server/model/grammar/schema-grammar.ts";
import { createGrammarMatcher, type GrammarMatcher } from "../../../support/model/grammar-matcher.ts";
import { grammarTexts } from "../../../support/model/grammar-texts.ts";

let grammars: GrammarMatcher;
beforeAll(async () => {
  grammars = await createGrammarMatcher();
});
afterAll(() => grammars.dispose());

const uuid = "123e4567-e89b-42d3-a456-426614174000";
const jwt = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url")}.eyJzdWIiOiJhIn0.c2ln`;

/** Schemas, and a text that has to remain among those that are generated. */
const formats: Readonly<Record<string, readonly [schema: z.ZodType, good: string]>> = {
  email: [z.email(), "ada.lovelace@mail.example.com"],
  "email as in HTML": [z.email({ pattern: z.regexes.html5Email }), "ada@example.com"],
  "email by RFC 5322": [z.email({ pattern: z.regexes.rfc5322Email }), "ada@example.com"],
  "email in any script": [z.email({ pattern: z.regexes.unicodeEmail }), "ada@example.com"],
  "email of a least length": [z.email().min(20), "ada.l@mail.example.com"],
  "email of a largest length": [z.email().max(100), "ada.l@mail.example.com"],
  url: [z.url(), "https://www.example.com:8443/a/b?c=d#e"],
  "url of an address": [z.url(), "http://127.0.0.1:11434/api/tags"],
  "url of a largest length": [z.url().max(200), "https://www.example.com/one/path/and/more?of=it"],
  uuid: [z.uuid(), uuid],
  uuidv4: [z.uuidv4(), uuid],
  guid: [z.guid(), uuid],
  hostname: [z.hostname(), "ec2-203-0-113-25.compute-1.amazonaws.com"],
  "hostname of a largest length": [z.hostname().max(63), "db-1.internal.example.com"],
  domain: [z.string().regex(z.regexes.domain), "mail.example.com"],
  ipv4: [z.ipv4(), "203.0.113.25"],
  ipv6: [z.ipv6(), "2001:db8::1"],
  cidrv4: [z.cidrv4(), "10.0.0.0/8"],
  cidrv6: [z.cidrv6(), "2001:db8::/32"],
  mac: [z.mac(), "00:1a:2b:3c:4d:5e"],
  base64: [z.base64(), "aGVhcnRo"],
  base64url: [z.base64url(), "aGVhcnQ_"],
  jwt: [z.jwt(), jwt],
  e164: [z.e164(), "+4712345678"],
  date: [z.iso.date(), "2028-02-29"],
  time: [z.iso.time(), "23:59"],
  datetime: [z.iso.datetime({ offset: true }), "2026-11-21T10:00:00.5+01:00"],
  "local datetime": [z.iso.datetime({ local: true }), "2026-11-21T10:00"],
  duration: [z.iso.duration(), "P1DT2H"],
  emoji: [z.emoji(), "🔥"],
  nanoid: [z.nanoid(), "V1StGXR8_Z5jdHi6B-myT"],
  cuid: [z.cuid(), "cjld2cjxh0000qzrmn831i7rn"],
  cuid2: [z.cuid2(), "tz4a98xxat96iws9zmbrgj3a"],
  ulid: [z.ulid(), "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
  xid: [z.xid(), "9m4e2mr0ui3e8a215n4g"],
  ksuid: [z.ksuid(), "0ujtsYcgvSTl8PAuAdqWYSMnLOv"],
  lowercase: [z.string().lowercase(), "ada"],
  uppercase: [z.string().uppercase(), "ADA"],
  hex: [z.hex(), "c0ffee"],
  hash: [z.hash("md5"), "d41d8cd98f00b204e9800998ecf8427e"],
  "regex with flags": [z.string().regex(/^\p{Lu}\w+$/iu), "Ada"],
  "several patterns": [z.email().startsWith("a").endsWith(".com"), "ada@example.com"],
  template: [z.templateLiteral(["ticket-", z.uuid(), "@", z.ipv4()]), `ticket-${uuid}@127.0.0.1`],
};

it.each(Object.entries(formats))("generates what zod takes as %s", (_name, [schema, good]) => {
  const gbnf = formatGrammar(z.toJSONSchema(schema, { io: "input" }) as Record<string, unknown>);
  expect(grammars.matcher(gbnf)(JSON.stringify(good))).toBe(true);
  const write = grammarTexts(gbnf);
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat(0xffffff)), (numbers) => {
      const text = write((below) => (numbers.next().value as number) % Math.max(1, below));
      expect([text, schema.safeParse(JSON.parse(text)).error?.message]).toEqual([text, undefined]);
    }),
    { numRuns: 200, seed: 20_261_121 },
  );
});

it.each(["http://256.1.1.1/", "http://example.com:70000/", "https://a.1/", "http:", "http:@", "file://a:1/"])(
  "does not generate %s, which zod does not take as a URL",
  (bad) => {
    expect(z.url().safeParse(bad).success).toBe(false);
    expect(grammars.matcher(formatGrammar({ type: "string", format: "uri" }))(JSON.stringify(bad))).toBe(false);
  },
);

it("generates names of members that zod takes as names of hosts", () => {
  const schema = z.record(z.hostname(), z.boolean());
  const matches = grammars.matcher(formatGrammar(z.toJSONSchema(schema) as Record<string, unknown>));
  expect(matches('{"www.example.com": true}')).toBe(true);
  expect(matches('{"-": true}')).toBe(false);
});

/** Bodies that claim to be JSON, forms or XML: good ones, odd ones and broken ones. */
import fc from "fast-check";
import { writeXml } from "../../../server/http/formats/xml-writer.ts";
import { complete, member, nearlyComplete } from "./fields.ts";
import { anyBytes, anyText, knownNames } from "../inputs/texts.ts";

export interface FuzzBody {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Bytes that a report of a failure shows as text. */
export const readable = (bytes: Buffer): Buffer =>
  Object.assign(bytes, { [fc.toStringMethod]: () => JSON.stringify(bytes.toString("latin1").slice(0, 2_000)) });

const jsonValue = fc.oneof(
  { weight: 3, arbitrary: nearlyComplete },
  { weight: 2, arbitrary: complete },
  {
    weight: 2,
    arbitrary: fc
      .array(member(fc.jsonValue({ maxDepth: 3 })), { maxLength: 6 })
      .map((entries) => Object.fromEntries(entries)),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

const deep = fc
  .tuple(fc.integer({ min: 1, max: 20_000 }), fc.constantFrom('{"a":', "[", '[{"":'))
  .map(([depth, opening]) => opening.repeat(depth));

/** Cut, doubled, or with other bytes in it. */
export const damaged = (whole: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc
    .tuple(whole, fc.nat(), fc.nat(), anyBytes, fc.constantFrom("cut", "insert", "replace", "double"))
    .map(([bytes, a, b, other, how]) => {
      const [from, to] = [a % (bytes.length + 1), b % (bytes.length + 1)].sort((x, y) => x - y) as [number, number];
      const inserted = Buffer.from(other, "latin1");
      if (how === "cut") return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
      if (how === "double") return Buffer.concat([bytes, bytes.subarray(from)]);
      return Buffer.concat([bytes.subarray(0, from), inserted, bytes.subarray(how === "insert" ? from : to)]);
    });

const json = fc.oneof(
  { weight: 4, arbitrary: jsonValue.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: deep },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '{"title":"\\ud800"}',
      '{"__proto__":{"x":1}}',
      "\ufeff{}",
      '{"title":1e999}',
      '{"a":1,"a":2}',
      "nul",
      "0",
      '""',
      "[]",
    ),
  },
);

/** As a form's field. */
const scalarText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const asForm = (value: Readonly<Record<string, unknown>>) =>
  new URLSearchParams(Object.entries(value).map(([key, one]): [string, string] => [key, scalarText(one)])).toString();

const form = fc.oneof(
  { weight: 4, arbitrary: fc.oneof(complete, nearlyComplete).map(asForm) },
  {
    weight: 3,
    arbitrary: fc
      .array(member(anyText), { maxLength: 6 })
      .map((pairs) =>
        new URLSearchParams(pairs.map(([key, value]): [string, string] => [key, String(value)])).toString(),
      ),
  },
  { weight: 1, arbitrary: fc.array(fc.oneof(anyText, anyBytes), { maxLength: 6 }).map((parts) => parts.join("&")) },
  {
    weight: 1,
    arbitrary: fc.constantFrom("df=%E0%A4%A&ev=create", "df=a&df=b", "=&=&=", "%=%", "&&&", "df=/a&ev=create"),
  },
);

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const elementName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...knownNames, "item", "a", "result") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("xml", "__proto__", "entry", "a:b", "图", "constructor", "toString", "#text", "-"),
  },
);
const attribute = fc.constantFrom(
  ...[
    "",
    "",
    "",
    ' key="title"',
    ' key="__proto__"',
    ' encoding="base64"',
    ' encoding="x"',
    " a=b",
    ' a="1" a="2"',
    ' #text="x"',
  ],
);
const xmlText = fc.oneof(
  { weight: 4, arbitrary: anyText.map(escaped) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "<![CDATA[ <x> ]]>",
      "<!-- c -->",
      "<?pi x?>",
      "&#0;",
      "&#xd800;",
      "&#x110000;",
      "&unknown;",
      "&lt;",
      "]]>",
      "&",
      "/w==",
    ),
  },
);
const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(
      elementName,
      attribute,
      fc.oneof(
        { depthSize: "small" },
        xmlText,
        fc.array(tie("content"), { maxLength: 4 }).map((parts) => parts.join("")),
      ),
    )
    .map(([tag, attributes, content]) => `<${tag}${attributes}>${content}</${tag}>`),
  content: fc.oneof({ depthSize: "small" }, xmlText, tie("element")),
}));
const xml = fc.oneof(
  { weight: 6, arbitrary: fc.oneof(complete, nearlyComplete).map((value) => writeXml(value, { relaxed: true })) },
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom("", '<?xml version="1.0"?>', '<?xml version="1.0" encoding="latin1"?>', "\ufeff", "<!-- -->"),
        element,
      )
      .map(([head, root]) => head + root),
  },
  {
    weight: 2,
    arbitrary: fc
      .array(member(anyText), { maxLength: 5 })
      .map(
        (members) => `<a>${members.map(([key, value]) => `<${key}>${escaped(String(value))}</${key}>`).join("")}</a>`,
      ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((depth) => "<a>".repeat(depth)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><title>&x;</title></a>',
      '<!DOCTYPE a [<!ENTITY l "ll"><!ENTITY m "&l;&l;">]><a>&m;</a>',
      "<a/><b/>",
      "text",
      "<a",
      "<a></b>",
      "<>",
      "<a><![CDATA[</a>",
      "<?xml?>",
    ),
  },
);

const typed = (type: fc.Arbitrary<string>, text: fc.Arbitrary<string>): fc.Arbitrary<FuzzBody> => {
  const whole = text.map((one) => Buffer.from(one, "utf8"));
  return fc.record({
    type,
    bytes: fc.oneof({ weight: 4, arbitrary: whole }, { weight: 1, arbitrary: damaged(whole) }),
  });
};

export const jsonBody = typed(
  fc.constantFrom(
    "application/json",
    "application/json; charset=utf-8",
    "application/merge-patch+json",
    "application/vnd.x+json",
  ),
  json,
);
export const formBody = typed(
  fc.constantFrom("application/x-www-form-urlencoded", "application/x-www-form-urlencoded;charset=UTF-8"),
  form,
);
export const xmlBody = typed(fc.constantFrom("application/xml", "text/xml", "image/svg+xml"), xml);

/** Over the limit of a body, and right at it. */
export const longBody: fc.Arbitrary<FuzzBody> = fc.record({
  type: fc.constantFrom(
    "application/json",
    "application/x-www-form-urlencoded",
    "application/xml",
    "text/plain",
    "multipart/form-data; boundary=x",
  ),
  bytes: fc.constantFrom(1_048_575, 1_048_577, 3_000_000).map((length) => readable(Buffer.alloc(length, "a"))),
});

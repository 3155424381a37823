/** Texts that programs stumble over. */
import fc from "fast-check";

/** Names that reach prototypes, numbers at the edge, other planes, control characters, halves of pairs, code for other languages. */
const nasty = [
  "",
  " ",
  "0",
  "-1",
  "1e999",
  "NaN",
  "null",
  "true",
  "undefined",
  "9007199254740993",
  "99999999999999999999999999",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "..",
  "../../etc/passwd",
  "..\\..\\windows",
  "C:\\",
  "'; DROP TABLE records; --",
  "%",
  "_",
  "*",
  "%00",
  "%E0%A4%A",
  "%ff",
  "%2e%2e%2f",
  "%252e",
  "<script>",
  "]]>",
  "&amp;",
  "${1}",
  "\u0000",
  "\u0001\u001f\u007f",
  "\r\nX-Injected: 1",
  "\u2028\u2029",
  "\ufeff",
  "\uffff\ufffe",
  "图😀é",
  "e\u0301",
  "\u202eabc",
  "x".repeat(300),
  "图".repeat(2_000),
];

/** Any text: well-formed, of whole code points. */
export const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...nasty) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
  { weight: 1, arbitrary: fc.integer({ min: -3, max: 300 }).map(String) },
);

/** Any bytes, as text of one character for each. */
export const anyBytes = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString("latin1"));

/** Text of a request line or a header: its UTF-8, one character for each byte, and nothing that would end the line. */
export const onOneLine = (text: string) =>
  Buffer.from(text, "utf8")
    .toString("latin1")
    .replaceAll(/[\r\n\0]/g, "");

/** Bytes of a header's value, most of them allowed there. */
export const headerText = fc.oneof(
  anyText.map(onOneLine),
  anyBytes.map((bytes) => bytes.replaceAll(/[\r\n\0]/g, "")),
);

/** The names that the server's bodies and queries know. */
export const knownNames = [
  ...["title", "body", "private", "entries", "prizes", "winners", "user", "password", "code", "errMsg", "rawData"],
  ...["signature", "encryptedData", "iv", "df", "ev", "type", "id", "owner_uid", "created_at"],
  ...[
    "pages",
    "price",
    "stock",
    "isbn",
    "genre",
    "tags",
    "publisher",
    "name",
    "text",
    "labels",
    "when",
    "count",
    "anything",
  ],
];

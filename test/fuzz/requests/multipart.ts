/** Multipart bodies: parts with any names and contents, and the ways in which a sender may get the form wrong. */
import fc from "fast-check";
import { damaged, readable, type FuzzBody } from "./bodies.ts";
import { pngBytes, zipBytes } from "../../support/files.ts";
import { anyBytes, anyText } from "../inputs/texts.ts";

const contents = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[pngBytes(1, 1), zipBytes({ "a.txt": "a" }), pngBytes(40, 40)].map((one) => Buffer.from(one)),
    ),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: anyText.map((text) => Buffer.from(text)) },
  {
    weight: 1,
    arbitrary: damaged(fc.constantFrom(Buffer.from(pngBytes(3, 3)), Buffer.from(zipBytes({ a: "b", c: "d" })))),
  },
);
const partName = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("[]", "Avatar", "type") },
  { weight: 1, arbitrary: anyText },
);
const fileName = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom("a.png", "a.zip", "图.png", "A.PNG", "a.jpg", "a.webp", "x.exe", "noextension", ".png"),
  },
  { weight: 1, arbitrary: anyText },
);
const quoted = (text: string) => text.replaceAll(/[\r\n"]/g, "_");

/** The header lines of a part, mostly as a browser writes them. */
const disposition = fc.tuple(partName, fc.option(fileName, { freq: 5 })).map(([name, file]) => {
  const of = file === null ? "" : `; filename="${quoted(file)}"`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${of}\r\n`;
});
const oddHead = fc.oneof(
  fc.constant(""),
  fc.constantFrom(
    "Content-Disposition: form-data\r\n",
    "Content-Disposition: attachment; name=x\r\n",
    "Content-Disposition: form-data; name=\"[]\"; filename*=UTF-8''%E0%A4%A.png\r\n",
    'Content-Disposition: form-data; name="[]"; filename=""\r\n',
    'Content-Disposition: form-data; name="[]"; filename="a.png\r\n',
    "content-disposition:form-data;name=[];filename=a.png\r\n",
    'Content-Disposition: form-data; name="__proto__"\r\n',
    'Content-Disposition: form-data; name="type[a][b]"\r\n',
    `X-Long: ${"x".repeat(90_000)}\r\n`,
    ": \r\n",
    "no colon\r\n",
  ),
  anyBytes.map((bytes) => `${bytes}\r\n`),
);
const extraHead = fc.constantFrom(
  "",
  "",
  "Content-Type: image/png\r\n",
  "Content-Type: text/html; charset=utf-16\r\n",
  "Content-Transfer-Encoding: base64\r\n",
);

const part = fc
  .tuple(fc.oneof({ weight: 8, arbitrary: disposition }, { weight: 1, arbitrary: oddHead }), extraHead, contents)
  .map(([head, extra, content]) => Buffer.concat([Buffer.from(`${head}${extra}\r\n`), content]));

const boundary = fc.constantFrom("x", "----WebKitFormBoundary7MA4YWxk", "a".repeat(70), "'()+_,-./:=?");

/** One part is what is taken; two and more are refused in one way or another. */
const whole = fc
  .tuple(boundary, fc.array(part, { maxLength: 4, size: "small" }), fc.constantFrom("--\r\n", "--", "", "\r\n"))
  .map(([mark, parts, end]) => ({
    mark,
    bytes: Buffer.concat([
      ...parts.flatMap((one) => [Buffer.from(`--${mark}\r\n`), one, Buffer.from("\r\n")]),
      Buffer.from(`--${mark}${end}`),
    ]),
  }));

/** A single part that has all it takes to be stored. */
const good = fc.tuple(fc.constantFrom("[]", "Avatar"), fc.constantFrom("a.png", "图.png")).map(([name, file]) => ({
  mark: "good",
  bytes: Buffer.concat([
    Buffer.from(`--good\r\nContent-Disposition: form-data; name="${name}"; filename="${file}"\r\n\r\n`),
    Buffer.from(pngBytes(2, 2)),
    Buffer.from("\r\n--good--\r\n"),
  ]),
}));

const manyParts = fc.constantFrom(30, 200).map((count) => ({
  mark: "x",
  bytes: Buffer.from(`${'--x\r\nContent-Disposition: form-data; name="type"\r\n\r\na\r\n'.repeat(count)}--x--\r\n`),
}));

const types = fc.constantFrom<(mark: string) => string>(
  (mark) => `multipart/form-data; boundary=${/^[\w-]+$/.test(mark) ? mark : `"${mark}"`}`,
  (mark) => `Multipart/Form-Data; charset=utf-8; boundary="${mark}"`,
  () => "multipart/form-data; boundary=other",
  () => "multipart/form-data",
  (mark) => `multipart/mixed; boundary="${mark}"`,
);

export const multipartBody: fc.Arbitrary<FuzzBody> = fc
  .tuple(
    fc.oneof(
      { weight: 4, arbitrary: whole },
      { weight: 2, arbitrary: good },
      { weight: 1, arbitrary: manyParts },
      {
        weight: 2,
        arbitrary: whole.chain(({ mark, bytes }) =>
          fc.record({ mark: fc.constant(mark), bytes: damaged(fc.constant(bytes)) }),
        ),
      },
    ),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant((mark: string) => `multipart/form-data; boundary="${mark}"`) },
      { weight: 1, arbitrary: types },
    ),
  )
  .map(([{ mark, bytes }, type]) => ({ type: type(mark), bytes: readable(bytes) }));

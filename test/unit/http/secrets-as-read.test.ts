/** Whatever a reader of bodies takes for the value of a secret field, the recorder has found it there, too. */
import { Readable } from "node:stream";
import fc from "fast-check";
import multer from "multer";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { secretNamesOf } from "../../../server/app/requests/secrets/secret-names.ts";
import { textFormOf, replaceSecrets } from "../../../server/app/requests/secrets/secret-text.ts";
import { parseForm } from "../../../server/http/formats/parse-form.ts";
import { readXml } from "../../../server/http/formats/read-xml.ts";

const isSecret = secretNamesOf(() => ["şİfre", "密码"])("app", "/").field;
const hidden = (contentType: string, text: string) =>
  replaceSecrets(text, textFormOf(contentType, text), isSecret, (name) => `{{${name.replace(/\W/g, "_")}:1}}`);

const mark = "hunter2";

/** Whether a secret field of the value, at any depth, holds the mark. */
const holdsSecret = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.entries(value).some(
    ([name, member]) => (isSecret(name) && (JSON.stringify(member) ?? "").includes(mark)) || holdsSecret(member),
  );

/** Texts in which a reader has found the secret. Those that it refuses, or reads otherwise, say nothing. */
let found = 0;
beforeEach(() => void (found = 0));
afterEach(() => expect(found).toBeGreaterThan(0));

function expectHidden(type: string, text: string, read: () => unknown): void {
  let value: unknown;
  try {
    value = read();
  } catch {
    return;
  }
  if (!holdsSecret(value)) return;
  found++;
  expect(hidden(type, text)).not.toContain(mark);
}

const oneOf = (...texts: string[]) => fc.constantFrom(...texts);
const joined = (...pieces: fc.Arbitrary<string>[]) => fc.tuple(...pieces).map((all) => all.join(""));
const several = (piece: fc.Arbitrary<string>) => fc.array(piece, { maxLength: 4 }).map((all) => all.join(""));
const runs = { numRuns: 2_000 };

const space = oneOf("", "", " ", "\n", "\t ", "\r\n");
const secretName = oneOf("password", "Access-Token", "密码");
/** The letters of a name, some as references. */
const referred = (name: string, spare: (letter: string) => string[]) =>
  joined(...[...name].map((letter) => oneOf(letter, letter, letter, ...spare(letter))));
const code = (letter: string) => letter.codePointAt(0) ?? 0;

describe("a secret is found as the reader of bodies finds it:", () => {
  it("in XML", () => {
    const value = joined(
      several(oneOf("<!-- </password> -->", "<![CDATA[</a>]]>", "<?b '?></entry>'?>", "&#60;", "<!-- ' -->", "x")),
      oneOf(mark, `<![CDATA[${mark}]]>`, `<!--"-->${mark}`),
      several(oneOf("<!-- > -->", "<![CDATA[]]]]>", "&amp;")),
    );
    const attribute = oneOf(' a=">"', " b='\"'", "\tc='</entry>'", ' d = "/"', " e=\"key='x'\"", " encoding='utf8'");
    const key = secretName
      .chain((name) =>
        referred(name, (letter) => [`&#${String(code(letter))};`, `&#x${code(letter).toString(16)};`, "&#119w;"]),
      )
      .chain((name) => oneOf(`"${name}"`, `'${name}'`));
    const entry = joined(
      ...[oneOf("<entry"), several(attribute), oneOf(" ", "\n", "\t"), oneOf("key"), space, oneOf("="), space, key],
      ...[several(attribute), space, oneOf(">"), value, oneOf("</entry"), space, oneOf(">")],
    );
    const element = fc
      .tuple(oneOf("password", "PASSWD", "密码", "x:token"), several(attribute), space, value)
      .map(([name, attributes, end, text]) => `<${name}${attributes}${end}>${text}</${name}${end}>`);
    const beside = oneOf(
      ...["<b/>", "<entry key='b'/>", "<!-- <password> -->", '<?b "?>"?>', "<?>", "<c a='<password>'>y</c>"],
      ...["<!x>", "<![CDATA[<password>]]>", "<password/>", "<![", "<token></token>"],
    );
    fc.assert(
      fc.property(several(beside), fc.oneof(entry, element), several(beside), (before, secret, after) => {
        const text = `<?xml version="1.0"?><r>${before}${secret}${after}</r>`;
        expectHidden("application/xml", text, () => readXml(text, z.looseObject({})));
      }),
      runs,
    );
  });

  it("in a form", () => {
    const name = oneOf("password", "access token", "şİfre").chain((plain) =>
      referred(plain, (letter) =>
        letter === " " ? ["+", "%20"] : [encodeURIComponent(letter), `%${code(letter).toString(16)}`],
      ),
    );
    const beside = several(oneOf("a=b&", "&", "=&", "{", "%7b=&", '{"', "<a>", "[", "\ufeff"));
    fc.assert(
      fc.property(beside, name, oneOf("", "&a=b", "&=", "&{}"), (before, written, after) => {
        const text = `${before}${written}=${mark}${after}`;
        expectHidden("application/x-www-form-urlencoded; charset=utf-8", text, () => parseForm(text, "body"));
      }),
      runs,
    );
  });

  it("in JSON", () => {
    const escaped = (letter: string) => [`\\u${code(letter).toString(16).padStart(4, "0")}`];
    const name = oneOf("password", "Access-Token", "şİfre").chain((plain) => referred(plain, escaped));
    const value = oneOf(`"${mark}"`, `["\\"]",{"a":"${mark}"}]`, `{"b":"}","c":"${mark}"}`);
    const beside = several(oneOf('"a":"\\\\",', '"password":null,', '"token":{},', '"b":["\\""],'));
    fc.assert(
      fc.property(
        beside,
        name,
        space,
        value,
        several(oneOf(',"a":1', ',"password":""')),
        (before, written, gap, secret, after) => {
          const text = `${gap}{${before}"${written}"${gap}:${gap}${secret}${after}}`;
          expectHidden("application/problem+json", text, () => JSON.parse(text));
        },
      ),
      runs,
    );
  });

  it("in multipart", async () => {
    const read = multer({ defParamCharset: "utf8" }).none();
    const fieldsOf = (type: string, body: string) =>
      new Promise<unknown>((resolve, reject) => {
        const headers = { "content-type": type, "content-length": String(Buffer.byteLength(body)) };
        const req = Object.assign(Readable.from([Buffer.from(body)]), { headers });
        read(req as never, {} as never, (error: unknown) => {
          if (error === undefined) resolve((req as { body?: unknown }).body);
          else reject(new Error("refused", { cause: error }));
        });
      });
    const name = secretName.chain((plain) => oneOf(`"${plain}"`, `"${plain}[]"`, `"${plain}[a]"`, `"\\${plain}"`));
    const parameter = oneOf("; x=y", '; x="; name=b"', ";\r\n x=1", '; z="\\""', "; name*=utf-8''b");
    const head = joined(
      ...[oneOf("Content-Disposition: ", "content-disposition:", "A: b\r\nContent-DISPOSITION:\t"), oneOf("form-data")],
      ...[several(parameter), oneOf("; ", ";", ";\r\n\t"), oneOf("name=", "NAME="), fc.oneof(name, oneOf("password"))],
      ...[several(parameter), oneOf("", "\r\nContent-Type: text/plain")],
    );
    const boundary = oneOf('"a b"', "x", '"a\\"b"', '"b"; boundary=other', 'x; y="; boundary=z"').chain((written) =>
      oneOf(`multipart/form-data; boundary=${written}`, `Multipart/Form-Data;a="; boundary=b";Boundary=${written}`),
    );
    const lines = ["a b", "x", 'a"b', "b"];
    await fc.assert(
      fc.asyncProperty(
        boundary,
        oneOf(...lines),
        head,
        oneOf("", "before\r\n"),
        async (type, line, written, preamble) => {
          const text = `${preamble}--${line}\r\n${written}\r\n\r\n${mark}\r\n--${line}--\r\n`;
          const value = await fieldsOf(type, text).catch(() => undefined);
          expectHidden(type, text, () => value);
        },
      ),
      { numRuns: 500 },
    );
  });
});

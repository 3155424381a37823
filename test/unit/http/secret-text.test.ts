import { XMLParser } from "fast-xml-parser";
import { describe, expect, it, vi } from "vitest";
import { secretNamesOf } from "../../../server/app/requests/secrets/secret-names.ts";
import { textFormOf, replaceSecrets } from "../../../server/app/requests/secrets/secret-text.ts";

const isSecret = secretNamesOf(() => [])("app", "/").field;
const hidden = (contentType: string, text: string) =>
  replaceSecrets(text, textFormOf(contentType, text), isSecret, (name) => `{{${name}}}`);

const part = (name: string, value: string) =>
  `--x--y\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
const pem = "-----BEGIN KEY-----\r\nMIIE\r\n-----END KEY-----\r\n";
const form = `${part("note", "a\r\n--b")}\r\n${part("password", pem)}\r\n${part("last", "c")}\r\n--x--y--\r\n`;
const formHidden = form.replace(pem, "{{password}}");

describe("a secret of a multipart body", () => {
  it("goes up to the next boundary, whatever lines with dashes it has", () => {
    expect(hidden('multipart/form-data; charset=utf-8; Boundary="x--y"', form)).toBe(formHidden);
    expect(hidden("Multipart/Form-Data;boundary=x--y;a=b", `before it\r\n${form}`)).toBe(`before it\r\n${formHidden}`);
  });

  it.each(["multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=another"])(
    "is found by the body's first line when the type is %s",
    (type) => {
      expect(hidden(type, form)).toBe(formHidden);
      const padded = (text: string) => text.replace("\r\n", " \t\r\n");
      expect(hidden(type, padded(form))).toBe(padded(formHidden));
    },
  );

  it("is found in a body that is cut off", () => {
    expect(hidden("multipart/form-data; boundary=x--y", part("password", "half of i"))).toBe(
      part("password", "{{password}}"),
    );
    const head = part("password", "").slice(0, -2);
    expect(hidden("multipart/form-data; boundary=x--y", head)).toBe(head);
  });
});

describe("a secret in an entry of XML", () => {
  it("is found by the key as the parser reads it, whatever attributes stand beside that", () => {
    const entry = (attributes: string) => `<r><entry ${attributes}>x</entry></r>`;
    const keys = [
      `a="key='b'" key = '&#116;oken'`,
      "b key=\"access&#95;token\" c='d'",
      "key='&lt;token&gt;'",
      'key="token"',
    ];
    for (const key of keys) expect(hidden("application/xml", entry(key))).toMatch(/>\{\{.+\}\}<\/entry>/);
    for (const key of ["", "key", "key=token", "a=\"key='token'\"", "mykey='token'", "key=''", "key='&#116;oke'"])
      expect(hidden("application/xml", entry(key))).toBe(entry(key));
  });

  it("needs one start of the parser for all, whose starts take long", () => {
    const parse = vi.spyOn(XMLParser.prototype, "parse");
    const entries = Array.from({ length: 1000 }, (_, index) => `<entry a b><entry key="&#${String(256 + index)};">`);
    hidden("application/xml", entries.join(""));
    expect(parse.mock.calls.length).toBeLessThanOrEqual(1);
    parse.mockRestore();
  });
});

it("a secret of a form is found where its name holds bytes that are no UTF-8", () => {
  expect(hidden("application/x-www-form-urlencoded", "%70ass%FFword%=a&b%FF=c")).toBe(
    "%70ass%FFword%={{pass\ufffdword%}}&b%FF=c",
  );
});

describe("a body with the type of a form", () => {
  const type = "application/x-www-form-urlencoded";
  const marked = (text: string) =>
    replaceSecrets(text, textFormOf(type, text), isSecret, (name, _raw, _plain, quoted) =>
      quoted ? `"{{${name}}}"` : `{{${name}}}`,
    );

  it.each([
    [
      '{"url":"https://x/cb?a=1&token=abc","password":"x"}',
      '{"url":"https://x/cb?a=1&token=abc","password":"{{password}}"}',
    ],
    [
      "<r><a><![CDATA[&token=abc]]></a><token>x</token></r>",
      "<r><a><![CDATA[&token=abc]]></a><token>{{token}}</token></r>",
    ],
    ["[]=1&password=abc&b=c", "[]=1&password={{password}}&b=c"],
    ["<a>=1&password=abc&b=c", "<a>=1&password={{password}}&b=c"],
    // Of what is cut off nobody knows which of the two it is.
    ['{"url":"https://x/?a&token=abc","password":"x","b', '{"url":"https://x/?a&token={{token}}'],
    ['{"password":"a&token=b","b', '{"password":"{{password}}"'],
  ])("%s is read as it is meant", (text, expected) => expect(marked(text)).toBe(expected));
});

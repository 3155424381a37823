import { describe, expect, it } from "vitest";
import { secretNamesOf } from "../../../server/app/requests/secrets/secret-names.ts";
import { formOf, replaceSecrets } from "../../../server/app/requests/secrets/secret-text.ts";

const isSecret = secretNamesOf(() => [])("app", "/").field;
const hidden = (contentType: string, text: string) =>
  replaceSecrets(text, formOf(contentType, text), isSecret, (name) => `{{${name}}}`);

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
    (type) => expect(hidden(type, form)).toBe(formHidden),
  );

  it("is found in a body that is cut off", () => {
    expect(hidden("multipart/form-data; boundary=x--y", part("password", "half of i"))).toBe(
      part("password", "{{password}}"),
    );
    const head = part("password", "").slice(0, -2);
    expect(hidden("multipart/form-data; boundary=x--y", head)).toBe(head);
  });
});

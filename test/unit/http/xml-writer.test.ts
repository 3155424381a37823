import fc from "fast-check";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, it } from "vitest";
import { writeXml } from "../../../server/http/formats/xml-writer.ts";

const strict = { relaxed: false };
const bodyOf = (xml: string) => xml.replace('<?xml version="1.0" encoding="UTF-8"?>', "");

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  trimValues: false,
  htmlEntities: true,
  alwaysCreateTextNode: true,
});
function textOf(xml: string): string {
  const { text } = (parser.parse(xml) as { result: { text: { "#text"?: string; "@_encoding"?: string } } }).result;
  const value = text["#text"] ?? "";
  return text["@_encoding"] === "base64" ? Buffer.from(value, "base64").toString("utf8") : value;
}

describe("writeXml", () => {
  it("writes members as elements, array items as <item>, and leaves null out", () => {
    expect(bodyOf(writeXml({ a: 1, b: [true, { c: "x" }], d: null }, strict))).toBe(
      "<result><a>1</a><b><item>true</item><item><c>x</c></item></b></result>",
    );
  });

  it("writes a name that XML forbids as an entry with a key", () => {
    expect(bodyOf(writeXml({ constructor: "x", prototype: "y" }, strict))).toBe(
      '<result><entry key="constructor">x</entry><entry key="prototype">y</entry></result>',
    );
    expect(bodyOf(writeXml({ "1st place": "x", xmlns: "y" }, strict))).toBe(
      '<result><entry key="1st place">x</entry><entry key="xmlns">y</entry></result>',
    );
  });

  it("writes a string that XML cannot carry as base64", () => {
    expect(bodyOf(writeXml({ a: "\u0000" }, strict))).toBe('<result><a encoding="base64">AA==</a></result>');
  });

  it("writes non-ASCII as references to code points, and as it is in relaxed mode", () => {
    expect(bodyOf(writeXml({ a: "图🔥" }, strict))).toBe("<result><a>&#22270;&#128293;</a></result>");
    expect(bodyOf(writeXml({ a: "图🔥" }, { relaxed: true }))).toBe("<result><a>图🔥</a></result>");
  });

  it("gives back any well-formed string through a third-party parser", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
        fc.boolean(),
        (text, relaxed) => {
          const xml = writeXml({ text }, { relaxed });
          expect(XMLValidator.validate(xml)).toBe(true);
          expect(textOf(xml)).toBe(text);
        },
      ),
    );
  });

  it("stays well-formed for any JSON value, whatever its names", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(XMLValidator.validate(writeXml(value, strict))).toBe(true);
      }),
    );
  });
});

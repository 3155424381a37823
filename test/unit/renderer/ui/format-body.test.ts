import { describe, expect, it } from "vitest";
import { formatBody } from "../../../../renderer/ui/code/format-body.ts";

describe("A body as it is shown", () => {
  it("lays JSON out and changes no value: long numbers, escapes and repeated names stay", () => {
    const text = '{"id":12345678901234567890,"a":"\\u56fe {,}:[1]","a":1.0,"none":{},"list":[1,[]],"t":true}';
    expect(formatBody(text, "application/json; charset=utf-8")).toEqual({
      kind: "json",
      pretty: [
        "{",
        '  "id": 12345678901234567890,',
        '  "a": "\\u56fe {,}:[1]",',
        '  "a": 1.0,',
        '  "none": {},',
        '  "list": [',
        "    1,",
        "    []",
        "  ],",
        '  "t": true',
        "}",
      ].join("\n"),
    });
  });

  it("shows what is not the JSON that it says it is as it came", () => {
    expect(formatBody('{"a":', "application/json")).toEqual({ kind: "json", pretty: undefined });
  });

  it("puts each XML element on its line, texts and CDATA beside their tags", () => {
    const text = "<xml><return_code><![CDATA[SUCCESS]]></return_code><empty/><n>1</n><none></none></xml>";
    expect(formatBody(text, "text/xml")).toEqual({
      kind: "xml",
      pretty: [
        "<xml>",
        "  <return_code><![CDATA[SUCCESS]]></return_code>",
        "  <empty/>",
        "  <n>1</n>",
        "  <none></none>",
        "</xml>",
      ].join("\n"),
    });
  });

  it("decodes a form, one field a line", () => {
    expect(formatBody("df=%2Ftmp%2Fa+b.txt&ev=create", "application/x-www-form-urlencoded").pretty).toBe(
      "df = /tmp/a b.txt\nev = create",
    );
  });

  it("lays out each line of NDJSON that is whole", () => {
    expect(formatBody('{"a":1}\n{"b"', "application/x-ndjson").pretty).toBe('{\n  "a": 1\n}\n{"b"');
  });

  it("recognises a type by the text when none is stated, and leaves other types unchanged", () => {
    expect(formatBody("[1]", undefined)).toEqual({ kind: "json", pretty: "[\n  1\n]" });
    expect(formatBody("<a>1</a>", "text/plain").kind).toBe("xml");
    expect(formatBody("{braces}", undefined)).toEqual({ kind: "plain", pretty: undefined });
    expect(formatBody('{"a":1}', "text/css").kind).toBe("plain");
  });

  it("leaves a body alone that is too long to be laid out at once", () => {
    const long = `["${"x".repeat(2_000_001)}"]`;
    expect(formatBody(long, "application/json").pretty).toBeUndefined();
  });
});

import { expect, it } from "vitest";
import { inferSchema, nameAfter } from "../../../../../renderer/features/collections/schema/infer-schema.ts";
import { readRows } from "../../../../../renderer/features/collections/schema/read-rows.ts";

it("reads items from JSON, JSON lines and CSV, without the fields that the server writes", () => {
  expect(readRows('[{"id": 7, "a": 1}, {"a": 2}]')).toEqual({ format: "JSON", rows: [{ a: 1 }, { a: 2 }] });
  expect(readRows('{"a": 1}')).toEqual({ format: "JSON", rows: [{ a: 1 }] });
  expect(readRows('{"a": 1}\n{"a": 2}\n')).toEqual({ format: "NDJSON", rows: [{ a: 1 }, { a: 2 }] });
  for (const nothing of ["", "[]", "[1]", '{"a":', "name\n", "true"])
    expect([nothing, readRows(nothing)]).toEqual([nothing, undefined]);
});

it("reads CSV with quotes, line breaks, empty fields and other delimiters", () => {
  const text = '\ufeffname;price;code;sold;note\r\n"Cup; ""big""";9.5;007;true;"two\nlines"\r\nPot;12;010;false;\r\n';
  expect(readRows(text)?.rows).toEqual([
    { name: 'Cup; "big"', price: 9.5, code: "007", sold: true, note: "two\nlines" },
    { name: "Pot", price: 12, code: "010", sold: false },
  ]);
});

it("infers what examples have in common, and allows what some of them lack", () => {
  const schema = inferSchema([
    { title: "a", price: 1, at: "2026-01-02", mail: "a@b.cd", tags: ["x"], size: { w: 1 }, odd: 1, gone: null },
    { title: "b", price: 1.5, at: "2026-01-03", mail: null, tags: [], size: { w: 2, h: 3 }, odd: "one" },
  ]);
  expect(schema).toEqual({
    type: "object",
    required: ["title", "price", "at", "tags", "size", "odd"],
    properties: {
      title: { type: "string" },
      price: { type: "number" },
      at: { type: "string", format: "date" },
      mail: { type: ["string", "null"], format: "email" },
      tags: { type: "array", items: { type: "string" } },
      size: { type: "object", required: ["w"], properties: { w: { type: "integer" }, h: { type: "integer" } } },
      odd: { type: ["integer", "string"] },
      gone: {},
    },
  });
  expect(inferSchema([{ a: 1 }])).not.toHaveProperty("required");
});

it("takes names that every object inherits for nothing but names", () => {
  const { rows = [] } = readRows("name,constructor,toString\nCar,Ada,\nBus,,Bob\n") ?? {};
  expect(inferSchema(rows)).toEqual({
    type: "object",
    required: ["name"],
    properties: { name: { type: "string" }, constructor: { type: "string" }, toString: { type: "string" } },
  });
});

it("infers no format that the server would refuse", () => {
  const formatOf = (text: string) => inferSchema([{ text }])["properties"];
  for (const text of [
    "2024-01-01T24:00:00Z",
    "2024-02-30T12:00:00Z",
    "2024-13-01",
    "a..b@x.com",
    "a@b_c.com",
    "https://example.com/100%",
    "https://example.com/#a#b",
  ])
    expect(formatOf(text)).toEqual({ text: { type: "string" } });
  for (const [format, text] of [
    ["date-time", "2024-01-01T23:00:00.5+01:00"],
    ["date", "2024-02-29"],
    ["email", "a.b+c@x-y.com"],
    ["uri", "https://example.com:8080/a%20b?c=d#e"],
  ] as const)
    expect(formatOf(text)).toEqual({ text: { type: "string", format } });
});

it("names a collection after a file", () => {
  expect([nameAfter("Line Items (2).csv"), nameAfter("2026_books.json"), nameAfter("书.csv")]).toEqual([
    "line-items-2",
    "books",
    "",
  ]);
});

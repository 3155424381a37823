import { expect, test } from "vitest";
import { fitResult, maxPageBytes, type ResultPage } from "../../../server/mcp/fit-result.ts";

/** All pages of a value. */
function pagesOf<Value>(value: Value): ResultPage<Value>[] {
  const pages = [fitResult(value)];
  for (let next = pages[0]?.next; next !== undefined; next = pages.at(-1)?.next) pages.push(fitResult(value, next));
  return pages;
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const items = Array.from({ length: 500 }, (_, id) => ({ id, path: `/api/orders/${"x".repeat(id % 90)}` }));

test("a small result is one page without a cursor", () => {
  expect(fitResult({ a: [1], b: "x" })).toEqual({ value: { a: [1], b: "x" } });
});

test("the pages of a list hold each item once, and none is over the bound", () => {
  const pages = pagesOf(items);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flatMap(({ value }) => value)).toEqual(items);
  for (const { value } of pages) expect(bytesOf(value)).toBeLessThanOrEqual(maxPageBytes);
  expect(pages[0]?.note).toMatch(/^Items 1 to \d+ of 500\. Call again with next_cursor/);
});

test("the longest list within an object is paged, and its other members are on each page", () => {
  const pages = pagesOf({ total: 500, page: { items, other: [1, 2] } });
  expect(pages.flatMap(({ value }) => value.page.items)).toEqual(items);
  for (const { value } of pages) expect([value.total, value.page.other]).toEqual([500, [1, 2]]);
});

test("the pages of a long text hold each character once", () => {
  const text = Array.from({ length: 3_000 }, (_, at) => String(at)).join(" ");
  const pages = pagesOf({ id: 1, body: { text } });
  expect(pages.map(({ value }) => value.body.text).join("")).toBe(text);
  expect(pages[0]?.note).toMatch(/^Long texts are cut to 4000 characters\. Call again/);
});

test("a result of which no page holds a part is refused with its size", () => {
  const members = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`text${String(at)}`, "x".repeat(3_000)]));
  expect(() => fitResult(members)).toThrow(/The result has 9\d{4} bytes, and one page 16000: narrow the arguments/);
});

test("an unknown cursor is refused", () => {
  expect(() => fitResult(items, "17")).toThrow('The cursor "17" is unknown.');
});

import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { isDiskFull } from "../../../server/contract/process/disk-full.ts";

const failure = (code: string, syscall?: string) =>
  Object.assign(new Error(code), { code, ...(syscall && { syscall }) });

it.each(["ENOSPC", "EDQUOT", "SQLITE_FULL"])("%s is a full disk, at any depth of the causes", (code) => {
  expect(isDiskFull(failure(code, "write"))).toBe(true);
  expect(isDiskFull(new Error("outer", { cause: new Error("inner", { cause: failure(code) }) }))).toBe(true);
});

it("ENOSPC of a watch is no full disk: the system has no watch left", () => {
  expect(isDiskFull(failure("ENOSPC", "watch"))).toBe(false);
  expect(isDiskFull(new Error("outer", { cause: failure("ENOSPC", "watch") }))).toBe(false);
});

it("a full database of Node's own SQLite is a full disk", () => {
  using database = new DatabaseSync(":memory:");
  database.exec("create table texts (text); pragma max_page_count = 2");
  const fill = () => database.exec(`insert into texts values ('${"x".repeat(20_000)}')`);
  expect(fill).toThrow(expect.toSatisfy(isDiskFull));
});

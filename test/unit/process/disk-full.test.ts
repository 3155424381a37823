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

import { describe, expect, it } from "vitest";
import { isWithin } from "../../../server/file-system/compare-paths.ts";

describe("whether a path lies in a folder", () => {
  it("goes by whole names", () => {
    expect(isWithin("/data", "/data", "linux")).toBe(true);
    expect(isWithin("/data", "/data/a/b", "linux")).toBe(true);
    expect(isWithin("/", "/data", "linux")).toBe(true);
    expect(isWithin("/data", "/database", "linux")).toBe(false);
    expect(isWithin("/data/a", "/data", "linux")).toBe(false);
  });

  it("is a matter of case on Linux alone", () => {
    expect(isWithin("/Data", "/data/a", "linux")).toBe(false);
    expect(isWithin("/Users/Ada/Library", "/users/ada/library/Hearth", "darwin")).toBe(true);
    expect(isWithin("C:\\Users\\Ada", "c:\\users\\ADA\\Hearth", "win32")).toBe(true);
    expect(isWithin("C:\\Users\\Ada", "c:\\users\\adam", "win32")).toBe(false);
  });

  it("takes both Unicode forms of a name on macOS", () => {
    expect(isWithin("/Users/Zoe\u0308", "/Users/Zo\u00eb/Hearth", "darwin")).toBe(true);
    expect(isWithin("/home/zoe\u0308", "/home/zo\u00eb/hearth", "linux")).toBe(false);
  });
});

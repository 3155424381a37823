import { describe, expect, it } from "vitest";
import { isWithinAnyCase } from "../../../server/file-system/compare-paths.ts";

describe("whether a path lies in a folder", () => {
  it("goes by whole names", () => {
    expect(isWithinAnyCase("/data", "/data", "linux")).toBe(true);
    expect(isWithinAnyCase("/data", "/data/a/b", "linux")).toBe(true);
    expect(isWithinAnyCase("/", "/data", "linux")).toBe(true);
    expect(isWithinAnyCase("/data", "/database", "linux")).toBe(false);
    expect(isWithinAnyCase("/data/a", "/data", "linux")).toBe(false);
  });

  it("is a matter of case on Linux alone", () => {
    expect(isWithinAnyCase("/Data", "/data/a", "linux")).toBe(false);
    expect(isWithinAnyCase("/Users/Ada/Library", "/users/ada/library/Hearth", "darwin")).toBe(true);
    expect(isWithinAnyCase("C:\\Users\\Ada", "c:\\users\\ADA\\Hearth", "win32")).toBe(true);
    expect(isWithinAnyCase("C:\\Users\\Ada", "c:\\users\\adam", "win32")).toBe(false);
  });

  it("takes both Unicode forms of a name on macOS", () => {
    expect(isWithinAnyCase("/Users/Zoe\u0308", "/Users/Zo\u00eb/Hearth", "darwin")).toBe(true);
    expect(isWithinAnyCase("/home/zoe\u0308", "/home/zo\u00eb/hearth", "linux")).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { decodeText, NotTextError } from "../../../server/file-system/decode-text.ts";
import { encodedText } from "../../support/encoded-text.ts";

const text = "FROM x\r\nSYSTEM Grüße, 图 😀\r\n";

describe("the text of a user's file", () => {
  it.each(["utf-8", "utf-16le", "utf-16be"] as const)("is read in %s, without the byte order mark", (encoding) => {
    expect(decodeText(encodedText(text, encoding))).toBe(text);
  });

  it("is read in UTF-8 without a mark, and may be empty", () => {
    expect([decodeText(Buffer.from(text)), decodeText(Buffer.alloc(0))]).toEqual([text, ""]);
  });

  it.each([
    ["another encoding", Buffer.from([0xd6, 0xd0, 0xce, 0xc4])],
    ["half a character of UTF-16", encodedText(text, "utf-16le").subarray(0, -1)],
    ["half a pair of UTF-16", Buffer.from([0xff, 0xfe, 0x3d, 0xd8])],
  ])("is refused in words: %s", (_what, bytes) => {
    expect(() => decodeText(bytes)).toThrow(NotTextError);
    expect(() => decodeText(bytes)).toThrow("it is neither UTF-8 nor UTF-16");
    expect(decodeText(bytes, { lenient: true })).toContain("\uFFFD");
  });
});

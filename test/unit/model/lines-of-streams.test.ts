import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { bodyChunks, readLines } from "../../../server/contract/read-lines.ts";
import { leavingLoopFree } from "../../support/busy-loop.ts";

async function all(stream: AsyncIterable<string>): Promise<unknown[]> {
  const lines: unknown[] = [];
  for await (const line of stream) lines.push(JSON.parse(line));
  return lines;
}

const readers = {
  "the model service": (pieces: readonly Buffer[]) => all(readLines(Readable.from(pieces))),
  "the console": (pieces: readonly Buffer[]) => all(readLines(bodyChunks(ReadableStream.from(pieces)))),
};

describe.each(Object.entries(readers))("lines that %s reads", (_, read) => {
  it("gives whole lines for any chunking, the last one without its line end, too", async () => {
    const bytes = Buffer.from('{"a":"图"}\n\n[1]\n"x"');
    const pieces = Array.from(bytes, (byte) => Buffer.of(byte));
    expect(await read(pieces)).toEqual([{ a: "图" }, [1], "x"]);
  });

  it("handles lines in tens of thousands of pieces each", async () => {
    const pieces = Array.from({ length: 20_000 }, () => Buffer.alloc(50, "x"));
    const [line] = await leavingLoopFree(() => read([Buffer.from('"'), ...pieces, Buffer.from('"\n')]));
    expect(line).toBe("x".repeat(1_000_000));
  });
});

it("lines end with an error at one that is longer than the limit, whole or not", async () => {
  for (const end of ["\n", "", "\n1\n"]) {
    const lines = readLines(Readable.from([Buffer.from('1\n"123'), Buffer.from(`45"${end}`)]), 6);
    expect(await lines.next()).toEqual({ done: false, value: "1" });
    await expect(lines.next()).rejects.toThrow(new RangeError("a line is longer than 6 characters"));
  }
  expect(await all(readLines(Readable.from([Buffer.from('"1234"\n"1234"')]), 6))).toEqual(["1234", "1234"]);
});

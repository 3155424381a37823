import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { detailsOf, parameterSize } from "../../../../server/model/models/library/gguf/gguf-details.ts";
import { readGgufHeader } from "../../../../server/model/models/library/gguf/gguf-header.ts";
import { encodeHeader, encodeString, encodeU32, encodeU64 } from "../../../support/model/gguf-encoding.ts";
import { writeRandomGguf } from "../../../support/model/random-gguf.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

let folder: ReturnType<typeof temporaryFolder>;
let sound: Buffer;
let expected: { parameters: number; bytes: number };
const file = () => join(folder.path, "m.gguf");
beforeAll(() => {
  folder = temporaryFolder();
  expected = writeRandomGguf(file(), { name: "Sound" });
  sound = readFileSync(file());
});
afterAll(() => folder[Symbol.dispose]());

const read = (bytes: Uint8Array, keepItems?: number) => {
  const path = join(folder.path, "other.gguf");
  writeFileSync(path, bytes);
  return readGgufHeader(path, keepItems);
};
const start = (tensors: number | bigint, entries: number | bigint, version = 3) => [
  Buffer.from("GGUF"),
  encodeU32(version),
  encodeU64(tensors),
  encodeU64(entries),
];

describe("the header of a sound GGUF", () => {
  it("gives metadata, the number of weights and what lists show", async () => {
    const header = await readGgufHeader(file());
    expect(header.metadata.get("general.name")).toBe("Sound");
    expect(header.metadata.get("llama.attention.layer_norm_rms_epsilon")).toBe(1e-5);
    expect(header.parameterCount).toBe(expected.parameters);
    expect(expected.bytes).toBe(sound.length);
    expect(detailsOf(header)).toEqual({
      parent_model: "",
      format: "gguf",
      family: "llama",
      families: ["llama"],
      parameter_size: "172K",
      quantization_level: "F32",
      context_length: 2048,
      embedding_length: 64,
    });
  });

  it("leaves long arrays empty unless they are asked for", async () => {
    expect((await readGgufHeader(file())).metadata.get("tokenizer.ggml.tokens")).toEqual([]);
    const whole = await readGgufHeader(file(), Infinity);
    expect(whole.metadata.get("tokenizer.ggml.tokens")).toHaveLength(768);
    expect(whole.metadata.get("tokenizer.ggml.scores")).toHaveLength(768);
  });

  it("is read across the buffer's edges", async () => {
    const long = "x".repeat(200_000);
    const metadata = [
      { key: "a", type: "string", value: long },
      { key: "b", type: "string", value: Array.from({ length: 30_000 }, (_, i) => `item ${String(i)}`) },
      { key: "c", type: "uint64", value: 2 ** 40 },
    ] as const;
    const header = await read(encodeHeader(metadata, []), Infinity);
    expect(header.metadata.get("a")).toBe(long);
    expect((header.metadata.get("b") as string[])[29_999]).toBe("item 29999");
    expect(header.metadata.get("c")).toBe(2 ** 40);
  });

  it.each([
    [0, "0"],
    [999, "999"],
    [172_352, "172K"],
    [4_197_120, "4.20M"],
    [1_000_000_000, "1B"],
    [1_100_048_384, "1.1B"],
    [70_553_706_496, "70.6B"],
  ])("writes %d weights as %s", (count, text) => expect(parameterSize(count)).toBe(text));
});

describe("a header that lies or breaks off", () => {
  it.each([
    ["an empty file", Buffer.alloc(0), "too short"],
    ["another kind of file", Buffer.from("PK\x03\x04 this is a zip, they say"), "not a GGUF file"],
    ["an unknown version", Buffer.concat(start(0, 0, 9)), "version 9 is not supported"],
    ["more entries than can be", Buffer.concat(start(0, 2n ** 63n)), "the number of metadata entries"],
    ["more tensors than can be", Buffer.concat(start(2n ** 40n, 0)), "the number of tensors"],
    ["an endless key", Buffer.concat([...start(0, 1), encodeU64(2n ** 60n)]), "a string's length"],
    ["an unknown type", Buffer.concat([...start(0, 1), encodeString("k"), encodeU32(99)]), "unknown value type 99"],
    [
      "an endless array",
      Buffer.concat([...start(0, 1), encodeString("k"), encodeU32(9), encodeU32(8), encodeU64(2n ** 50n)]),
      "an array's length",
    ],
    [
      "arrays in arrays without end",
      Buffer.concat([
        ...start(0, 1),
        encodeString("k"),
        encodeU32(9),
        ...Array.from({ length: 9 }, () => [encodeU32(9), encodeU64(1)]).flat(),
      ]),
      "nested too deeply",
    ],
    [
      "a tensor that is larger than the file",
      Buffer.concat([
        ...start(1, 0),
        encodeString("t"),
        encodeU32(2),
        encodeU64(2n ** 39n),
        encodeU64(2n ** 39n),
        encodeU32(0),
        encodeU64(0),
      ]),
      "within its tensors",
    ],
  ])("is refused: %s", async (_what, bytes, message) => {
    await expect(read(bytes)).rejects.toThrow(message);
  });

  it("is refused wherever the file is cut off", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: sound.length - 1 }), async (length) => {
        await expect(read(sound.subarray(0, length))).rejects.toThrow();
      }),
      { numRuns: 200 },
    );
  });

  it("never crashes the reader or keeps it for long, whatever bits are wrong", async () => {
    const header = Math.min(sound.length, 20_000);
    const flips = fc.array(fc.tuple(fc.nat(header - 1), fc.nat(255)), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(flips, async (changes) => {
        const bytes = Buffer.from(sound);
        for (const [at, value] of changes) bytes[at] = value;
        // Either a header or an error: both are answers.
        await read(bytes).catch((error: unknown) => expect(error).toBeInstanceOf(Error));
      }),
      { numRuns: 300 },
    );
  });
});

/** Kept prompts over scripted sequences: what a disk or a model of another kind does to them. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Token } from "node-llama-cpp";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { listKeptFiles, promptCacheRoot } from "../../../server/process/prompt-cache-files.ts";
import { KeptPrompts, type KeptSequence } from "../../../server/runner/llama-engine/prompt-cache/kept-prompts.ts";
import { PromptCache } from "../../../server/runner/llama-engine/prompt-cache/prompt-cache.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const megabyte = 1024 * 1024;
let dataDir: string;
let warnings: string[];
let free = 10_000 * megabyte;
beforeEach(() => {
  const folder = temporaryFolder();
  onTestFinished(() => folder[Symbol.dispose]());
  dataDir = folder.path;
  writeFileSync(join(dataDir, "model.gguf"), "weights");
  warnings = [];
  free = 10_000 * megabyte;
});

/** Numbers from `from` on: the first one tells conversations apart. */
const tokensFrom = (from: number, count: number) => Array.from({ length: count }, (_, at) => (from + at) as Token);

interface Scripted extends KeptSequence {
  contextTokens: Token[];
}

/** A sequence whose state is its tokens, in the form of the engine's files. */
function sequenceOf(contextTokens: Token[], more: Partial<KeptSequence> = {}): Scripted {
  const sequence: Scripted = {
    contextTokens,
    needsCheckpoints: false,
    async saveStateToFile(path) {
      const bytes = Buffer.from(
        Uint32Array.from([0x67677371, 2, sequence.contextTokens.length, ...sequence.contextTokens]).buffer,
      );
      writeFileSync(path, bytes, { mode: 0o600 });
      return { fileSize: bytes.length };
    },
    async loadStateFromFile(path) {
      const bytes = readFileSync(path);
      sequence.contextTokens = Array.from(
        { length: bytes.readUInt32LE(8) },
        (_, at) => bytes.readUInt32LE(12 + 4 * at) as Token,
      );
    },
    async eraseContextTokenRanges([range]) {
      sequence.contextTokens = sequence.contextTokens.slice(0, range?.start);
    },
    async clearHistory() {
      sequence.contextTokens = [];
    },
    ...more,
  };
  return sequence;
}

function openCache(mostBytes: number) {
  const log = { warn: (_: unknown, message: string) => void warnings.push(message) };
  return new PromptCache({ dataDir, mostBytes, log: log as never, freeBytes: () => free });
}

/** A model that was just loaded, by default in a runner that has just started. */
function open(mostBytes = megabyte, stateSize = 4_000, cache = openCache(mostBytes)) {
  const place = cache.placeOf({ weights: "one", path: join(dataDir, "model.gguf"), settings: [] });
  if (place === undefined) throw new Error("no place");
  return new KeptPrompts({ cache, place, context: { contextSize: 8192, batchSize: 128, stateSize } });
}
const kept = () => listKeptFiles(promptCacheRoot(dataDir));
/** Tokens gained by a fresh sequence. */
const gainOf = (prompt: Token[], sequence = sequenceOf([])) => open().restore(sequence, prompt);

describe("kept prompts", () => {
  it("are written, and restored up to the beginning of a batch", async () => {
    await open().keep([sequenceOf(tokensFrom(0, 1000))]);
    const sequence = sequenceOf([]);
    expect(await gainOf(tokensFrom(0, 1000), sequence)).toBe(896);
    expect(sequence.contextTokens).toEqual(tokensFrom(0, 896));
    expect(await gainOf(tokensFrom(0, 896))).toBe(768);
    expect(await gainOf([...tokensFrom(0, 600), ...tokensFrom(9, 600)])).toBe(512);
    expect(await gainOf(tokensFrom(0, 200))).toBe(0);
    expect(warnings).toEqual([]);
  });

  it("are the one that has most of the prompt", async () => {
    const [short, long] = [tokensFrom(0, 400), [...tokensFrom(0, 400), ...tokensFrom(5000, 900)]];
    await open().keep([sequenceOf([...short, ...tokensFrom(7000, 600)]), sequenceOf(long)]);
    expect(await gainOf([...long, ...tokensFrom(0, 5)])).toBe(1280);
    expect(await gainOf([...short, ...tokensFrom(1, 500)])).toBe(384);
  });

  it("do not take the place of about as much in memory", async () => {
    await open().keep([sequenceOf(tokensFrom(0, 1000))]);
    expect(await gainOf(tokensFrom(0, 1000), sequenceOf(tokensFrom(0, 800)))).toBe(0);
    expect(await gainOf(tokensFrom(0, 1000), sequenceOf(tokensFrom(0, 600)))).toBe(296);
  });

  it("are restored while the states of another model are written", async () => {
    await open().keep([sequenceOf(tokensFrom(0, 1000))]);
    const cache = openCache(megabyte);
    void cache.inTurn(() => new Promise<void>(() => undefined));
    expect(await open(megabyte, 4_000, cache).restore(sequenceOf([]), tokensFrom(0, 1000))).toBe(896);
  });

  it("of a state that cannot be cut serve only a prompt that has all of it", async () => {
    await open().keep([sequenceOf(tokensFrom(0, 1000), { needsCheckpoints: true })]);
    const fresh = () => sequenceOf([], { needsCheckpoints: true });
    expect(await gainOf(tokensFrom(0, 990), fresh())).toBe(0);
    expect(await gainOf(tokensFrom(0, 1001), fresh())).toBe(1000);
  });

  it("are not written to a disk that is nearly full, without a word", async () => {
    free = 900 * 1_000_000;
    await open().keep([sequenceOf(tokensFrom(0, 1000))]);
    expect([kept(), warnings]).toEqual([[], []]);
  });

  it("that cannot be written are a line in the log, and leave no file", async () => {
    const broken = async (path: string) => {
      writeFileSync(path, "half");
      throw new Error("no space left on device");
    };
    const prompts = open();
    await prompts.keep([sequenceOf(tokensFrom(0, 1000), { saveStateToFile: broken })]);
    expect([kept(), warnings]).toEqual([[], ["prompt states cannot be stored"]]);
  });

  it("that the engine refuses leave an empty sequence, a line in the log and no file", async () => {
    await open().keep([sequenceOf(tokensFrom(0, 1000))]);
    const refusing = sequenceOf(tokensFrom(9, 50), { loadStateFromFile: () => Promise.reject(new Error("refused")) });
    expect(await gainOf(tokensFrom(0, 1000), refusing)).toBe(0);
    expect([refusing.contextTokens, kept(), warnings]).toEqual([[], [], ["a stored prompt state is not used"]]);
  });

  it("make room for newer ones, and one that does not fit alone is not written", async () => {
    const bytes = 6_000;
    for (const from of [0, 2000, 4000]) await open(bytes, 100).keep([sequenceOf(tokensFrom(from, 500))]);
    expect(kept()).toHaveLength(2);
    expect(await gainOf(tokensFrom(0, 500))).toBe(0);
    await open(bytes, 7_000).keep([sequenceOf(tokensFrom(6000, 1700))]);
    expect(kept()).toHaveLength(2);
  });

  it("of one unload make room for the most recently used alone", async () => {
    const sequences = [0, 2000, 4000].map((from) => sequenceOf(tokensFrom(from, 500)));
    await open(5_000, 6_000).keep(sequences);
    expect(kept().length).toBeGreaterThan(0);
    expect(await gainOf(tokensFrom(0, 500))).toBe(384);
    expect(await gainOf(tokensFrom(4000, 500))).toBe(0);
  });

  it("without their key, or with one that is none, are deleted at the next start", async () => {
    for (const spoilt of ["", "x".repeat(100_000)]) {
      await open().keep([sequenceOf(tokensFrom(0, 1000))]);
      expect(kept()).toHaveLength(1);
      writeFileSync(join(promptCacheRoot(dataDir), "key"), spoilt);
      open();
      expect(kept()).toEqual([]);
      expect(statSync(join(promptCacheRoot(dataDir), "key")).size).toBe(32);
    }
  });
});

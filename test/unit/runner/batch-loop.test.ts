import { describe, expect, it, vi } from "vitest";
import { createBatchLoop, sharePrompts, type Lane } from "../../../server/runner/llama-engine/sequences/batch-loop.ts";
import { createLateGrammar } from "../../../server/runner/llama-engine/sequences/late-grammar.ts";
import { createLineBuffer } from "../../../server/runner/llama-engine/sequences/line-buffer.ts";
import { tokenBytes } from "../../../server/runner/llama-engine/sequences/token-bytes.ts";
import { bestSlot, createSequencePool } from "../../../server/runner/llama-engine/sequences/sequence-pool.ts";
import { eventually } from "../../support/eventually.ts";

const never = new AbortController().signal;

/** A lane that reads `prompt` tokens and then generates `answer` tokens; `seen` has each step's slice. */
function lane(index: number, { prompt = 0, answer = 3, rounds = [] as number[][] } = {}) {
  let [promptLeft, answerLeft] = [prompt, answer];
  const own = {
    index,
    isBlocked: false,
    isCancelled: false,
    drafted: 0,
    ended: 0,
    seen: [] as number[],
    get promptLeft() {
      return promptLeft;
    },
    async step(slice: number) {
      own.seen.push(slice);
      rounds.at(-1)?.push(index);
      if (promptLeft > slice) {
        promptLeft -= slice;
        return false;
      }
      promptLeft = 0;
      return --answerLeft === 0;
    },
    async end() {
      own.ended++;
    },
  };
  return own satisfies Lane;
}

function loopOf() {
  const rounds: number[][] = [];
  const figures: { generating: number; prompt: number }[] = [];
  const loop = createBatchLoop({
    batchSize: 128,
    beforeRound: () => void rounds.push([]),
    afterRound: ({ generating, prompt }) => figures.push({ generating, prompt }),
  });
  return { loop, rounds, figures };
}

describe("rounds of generations", () => {
  it("take a step of each, in the order of their places", async () => {
    const { loop, rounds, figures } = loopOf();
    const lanes = [lane(2, { rounds }), lane(0, { rounds }), lane(1, { rounds, answer: 1 })];
    for (const each of lanes) loop.add(each);
    await eventually(() => expect(lanes.map(({ ended }) => ended)).toEqual([1, 1, 1]));
    expect(rounds.slice(0, 3)).toEqual([[0, 1, 2], [0, 2], [0, 2]]); // prettier-ignore
    expect(figures[0]).toEqual({ generating: 3, prompt: 0 });
  });

  it("leave out a blocked one until it is woken, and end a cancelled one", async () => {
    const { loop } = loopOf();
    const [blocked, other, cancelled] = [lane(0), lane(1), lane(2, { answer: 1000 })];
    blocked.isBlocked = true;
    for (const each of [blocked, other, cancelled]) loop.add(each);
    await eventually(() => expect(other.ended).toBe(1));
    expect(blocked.seen).toEqual([]);
    cancelled.isCancelled = true;
    loop.wake();
    await eventually(() => expect(cancelled.ended).toBe(1));
    blocked.isBlocked = false;
    loop.wake();
    await eventually(() => expect(blocked.ended).toBe(1));
    expect(blocked.seen).toHaveLength(3);
  });

  it("rest a moment at the end of a prompt, so that the first token gets to its reader", async () => {
    const { loop } = loopOf();
    const seenByReader: number[] = [];
    const first = lane(0, { prompt: 200, answer: 3 });
    const step = first.step.bind(first);
    first.step = async (slice) => {
      const isLast = await step(slice);
      setTimeout(() => seenByReader.push(first.seen.length), 0);
      return isLast;
    };
    loop.add(first);
    await eventually(() => expect(first.ended).toBe(1));
    // Two steps for the prompt, the second with the first token, which is seen before there is a third.
    expect(first.seen).toHaveLength(4);
    expect(seenByReader).toContain(2);
    expect(seenByReader).not.toContain(1);
  });

  it("give prompts small parts beside a generation, and the whole batch otherwise", () => {
    const [long, short, writer] = [lane(0, { prompt: 1000 }), lane(1, { prompt: 5 }), lane(2)];
    const shares = (tokenMs: number, ...lanes: Lane[]) =>
      Object.fromEntries([...sharePrompts(lanes, 128, tokenMs)].map(([{ index }, n]) => [index, n]));
    for (const tokenMs of [1, 20, Infinity]) {
      expect(shares(tokenMs, long)).toEqual({ 0: 128 });
      expect(shares(tokenMs, long, short)).toEqual({ 0: 123, 1: 5 });
      expect(shares(tokenMs, writer)).toEqual({});
    }
    for (const tokenMs of [20, Infinity]) {
      expect(shares(tokenMs, long, writer)).toEqual({ 0: 32 });
      expect(shares(tokenMs, long, short, writer)).toEqual({ 0: 27, 1: 5 });
    }
    expect(shares(3, long, writer)).toEqual({ 0: 50 });
    expect(shares(1, long, short, writer)).toEqual({ 0: 122, 1: 5 });
  });

  it("end prompts at once beside a generation that need not wait long for it", () => {
    const lanes = [lane(0, { prompt: 60 }), lane(1, { prompt: 40 }), lane(2)];
    const shares = (tokenMs: number) => [...sharePrompts(lanes, 128, tokenMs).values()];
    expect(shares(6)).toEqual([40, 60]);
    expect(shares(6.1)).toEqual([16, 16]);
    expect(shares(3)).toEqual([40, 60]);
  });
});

describe("the output of a generation", () => {
  it("is buffered for its reader up to a limit, and signals when there is room again", async () => {
    const onRoom = vi.fn();
    const lines = createLineBuffer<number>(onRoom);
    let count = 0;
    while (!lines.isFull) lines.push(count++);
    expect(count).toBe(64);
    const reader = lines.read(never);
    expect((await reader.next()).value).toHaveLength(64);
    expect(onRoom).toHaveBeenCalledTimes(1);
    lines.push(64);
    lines.push(65);
    lines.end();
    const rest: (readonly number[])[] = [];
    for await (const some of reader) rest.push(some);
    expect(rest).toEqual([[64, 65]]);
    expect(onRoom).toHaveBeenCalledTimes(1);
  });

  it("ends with its failure, after what came before, or at once with the reader's abort", async () => {
    const lines = createLineBuffer<number>(() => undefined);
    lines.push(1);
    lines.end(new Error("broken"));
    const reader = lines.read(never);
    expect((await reader.next()).value).toEqual([1]);
    await expect(reader.next()).rejects.toThrow("broken");
    const leaving = new AbortController();
    const waiting = createLineBuffer<number>(() => undefined)
      .read(leaving.signal)
      .next();
    leaving.abort();
    await expect(waiting).rejects.toThrow("aborted");
  });
});

describe("the selected sequence", () => {
  const holding = (...states: string[]) =>
    states.map((state, index) => ({ index, sequence: { contextTokens: [...state] } }));
  const choice = (tokens: string, ...states: string[]) => bestSlot(holding(...states), [...tokens])?.index;

  it("is the one whose state shares most of the prompt", () => {
    expect(choice("abcdef", "", "abc", "abcde")).toBe(2);
    expect(choice("abcdef", "abcdefgh", "abc")).toBe(0);
    // The same question again: its last answer is not worth a sequence.
    expect(choice("abc", "", "abcdefghijklmnopqrstuvw")).toBe(1);
  });

  it("is the least recently used one when the prompt shares only the beginning with others", () => {
    expect(choice("abxyz", "", "abcdefghij")).toBe(0);
    expect(choice("abxy", "", "abcdefghijklmnop")).toBe(0);
    expect(choice("xyz", "qqqqqqqq", "ab")).toBe(0);
    expect(choice("ab", "", "acdefghijklmnop")).toBe(0);
  });

  it("is given in the order of requests, and not to one that was aborted", async () => {
    const pool = createSequencePool([{ contextTokens: ["a"] }]);
    const first = await pool.take(["a"], never);
    const leaving = new AbortController();
    const left = pool.take(["a"], leaving.signal);
    const next = pool.take(["a"], never);
    leaving.abort();
    await expect(left).rejects.toThrow("aborted");
    expect(pool).toMatchObject({ free: 0, waiting: 1 });
    pool.give(first);
    pool.give(await next);
    expect(pool).toMatchObject({ free: 1, waiting: 0 });
  });

  it("is refused to all who wait when the pool closes, which waits for those who have one", async () => {
    const pool = createSequencePool([{ contextTokens: ["a"] }]);
    const slot = await pool.take(["a"], never);
    const waiting = pool.take(["a"], never);
    waiting.catch(() => undefined);
    let isClosed = false;
    const closed = pool.close().then(() => (isClosed = true));
    await expect(waiting).rejects.toMatchObject({ code: "not_loaded" });
    await expect(pool.take(["a"], never)).rejects.toMatchObject({ code: "not_loaded" });
    expect(isClosed).toBe(false);
    pool.give(slot);
    await closed;
  });
});

describe("a grammar with trigger texts", () => {
  it("starts right behind the first of them, across tokens and within one", () => {
    const grammar = createLateGrammar({ after: ["</think>", "<call>"] });
    expect(grammar.push("some text </th")).toBeUndefined();
    expect(grammar.isActive).toBe(false);
    expect(grammar.push("ink>\n\nrest")).toBe(4);
    expect(grammar.isActive).toBe(true);
    expect(grammar.push("</think>")).toBeUndefined();
  });

  it("starts at once without any", () => {
    expect(createLateGrammar({}).isActive).toBe(true);
    expect(createLateGrammar({ after: [] }).isActive).toBe(true);
  });
});

describe("the bytes of a token", () => {
  it("are those of its text", () => {
    expect(tokenBytes("▁né", " né")).toEqual([32, 110, 195, 169]);
    expect(tokenBytes(undefined, "a")).toEqual([97]);
  });

  it("are those that it stands for when it is a part of a character", () => {
    expect(tokenBytes("<0xE4>", "\uFFFD")).toEqual([0xe4]);
    // "ä½" is how byte-level vocabularies write the first two bytes of 你.
    expect(tokenBytes("ä½", "\uFFFD")).toEqual([0xe4, 0xbd]);
    expect(tokenBytes("Ġ\u0142", " \uFFFD")).toEqual([0x20, 0xa0]);
  });
});

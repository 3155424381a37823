import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LlamaModel } from "node-llama-cpp";
import type { RunnerGenerateLine } from "../../../server/contract/model/runner.ts";
import { createAnswerText } from "../../../server/runner/llama-engine/sequences/answer-text.ts";
import { fitPrompt } from "../../../server/runner/llama-engine/sequences/fit-prompt.ts";
import { createStopText } from "../../../server/runner/llama-engine/sequences/stop-text.ts";
import { createTokenText } from "../../../server/runner/llama-engine/sequences/token-text.ts";

function run(stops: readonly string[], pieces: readonly string[]) {
  const stopText = createStopText(stops);
  const given: string[] = [];
  for (const piece of pieces) {
    const { text, stop } = stopText.push(piece);
    given.push(text);
    if (stop !== undefined) return { given, stop };
  }
  given.push(stopText.rest());
  return { given, stop: undefined };
}

describe("stop strings", () => {
  it("end the text before them, also across pieces", () => {
    expect(run(["STOP"], ["ab", "cS", "TO", "Pde"])).toEqual({ given: ["ab", "c", "", ""], stop: "STOP" });
  });
  it("hold back only what may be their beginning", () => {
    expect(run(["<|end|>"], ["a<", "b", "<|e"])).toEqual({ given: ["a", "<b", "", "<|e"], stop: undefined });
  });
  it("count from the first of several", () => {
    expect(run(["three", "two"], ["one two three"])).toEqual({ given: ["one "], stop: "two" });
  });

  it("give out exactly the text before the first one, however the text is cut", () => {
    const alphabet = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 40 });
    const stops = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 4 }), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(alphabet, stops, fc.array(fc.nat(6), { maxLength: 40 }), (text, list, sizes) => {
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) pieces.push(text.slice(at, (at += size)));
        pieces.push(text.slice(at));
        const { given, stop: found } = run(list, pieces);
        const given_ = given.join("");
        if (found === undefined) expect(given_).toBe(text);
        expect(text.startsWith(given_)).toBe(true);
        expect(list.every((stop) => !given_.includes(stop))).toBe(true);
        expect(found !== undefined).toBe(list.some((stop) => text.includes(stop)));
        if (found !== undefined) expect(text.startsWith(given_ + found)).toBe(true);
      }),
    );
  });
});

/** Tokens are byte strings; a text is what their bytes decode to, broken characters as U+FFFD. */
const detokenize = (tokens: readonly Buffer[]) => new TextDecoder().decode(Buffer.concat(tokens));

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const tokens: Buffer[] = [];
  let at = 0;
  for (const size of sizes) tokens.push(bytes.subarray(at, (at += size)));
  tokens.push(bytes.subarray(at));
  return tokens.filter((token) => token.length > 0);
}

describe("text of tokens", () => {
  it("never holds half a character", () => {
    const tokens = [...Buffer.from("é中🔥!")].map((byte) => Buffer.of(byte));
    const text = createTokenText(detokenize, []);
    expect(tokens.map((token) => text.push(token)).filter(Boolean)).toEqual(["é", "中", "🔥", "!"]);
    expect(text.rest()).toBe("");
  });

  it("is whole however the bytes are cut into tokens", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.integer({ min: 1, max: 5 })), (whole, sizes) => {
        const text = createTokenText(detokenize, []);
        const pieces = cut(Buffer.from(whole.toWellFormed()), sizes).map((token) => text.push(token));
        pieces.push(text.rest());
        expect(pieces.join("")).toBe(whole.toWellFormed());
        expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
      }),
    );
  });

  it("comes out in the end, even when the bytes are no text", () => {
    const text = createTokenText(detokenize, []);
    const pieces = Array.from({ length: 100 }, () => text.push(Buffer.of(0xe4)));
    pieces.push(text.rest());
    expect(pieces.join("")).toMatch(/^\uFFFD+$/);
  });
});

describe("log probabilities beside a text", () => {
  /** Runs an answer of these pieces, each a token of its own, and returns its lines. */
  function linesOf(pieces: readonly string[], stop: readonly string[]) {
    const lines: { text: string; tokens: string[] }[] = [];
    const write = (line: RunnerGenerateLine) => {
      if (line.type === "text")
        lines.push({ text: line.text, tokens: (line.logprobs ?? []).map(({ token }) => token) });
    };
    const answer = createAnswerText({} as LlamaModel, { request: { stop: [...stop] }, before: [], write });
    const isStopped = pieces.some(
      (token) => answer.push(token, [], { token, bytes: [], logprob: -1, top: [] }) !== undefined,
    );
    if (!isStopped) answer.end();
    return lines;
  }

  it("wait while their tokens may belong to a stop string", () => {
    expect(linesOf(["a", "s", "s", "s", "t"], ["sst"])).toEqual([
      { text: "a", tokens: ["a"] },
      { text: "s", tokens: ["s"] },
    ]);
    expect(linesOf(["as", "", "x"], ["st"])).toEqual([
      { text: "a", tokens: ["as"] },
      { text: "sx", tokens: ["", "x"] },
    ]);
    expect(linesOf(["a", "s", ""], ["st"])).toEqual([
      { text: "a", tokens: ["a"] },
      { text: "s", tokens: ["s", ""] },
    ]);
  });

  it("are those of the tokens that begin in the text, and none comes before its text", () => {
    const letters = (most: number, minLength = 0) =>
      fc.string({ unit: fc.constantFrom("a", "b"), minLength, maxLength: most });
    fc.assert(
      fc.property(
        fc.array(letters(3, 1), { maxLength: 20 }),
        fc.array(letters(5, 1), { maxLength: 3 }),
        (all, stops) => {
          let [text, named] = ["", ""];
          for (const line of linesOf(all, stops)) {
            text += line.text;
            for (const token of line.tokens) {
              expect(named.length).toBeLessThan(text.length);
              named += token;
            }
          }
          expect(named.startsWith(text)).toBe(true);
        },
      ),
    );
  });
});

describe("a prompt that is longer than the window", () => {
  const tokens = Array.from({ length: 100 }, (_, i) => i);
  it("keeps its first tokens and the newest that fill half of the window", () => {
    expect(fitPrompt(tokens, { window: 20, overflow: "cut", num_keep: 4 }, false)).toEqual([
      0, 1, 2, 3, 92, 93, 94, 95, 96, 97, 98, 99,
    ]);
  });
  it("keeps the begin token beside them", () => {
    expect(fitPrompt(tokens, { window: 20, overflow: "cut", num_keep: 2 }, true).slice(0, 4)).toEqual([0, 1, 2, 92]);
  });
  it("is refused where cutting is not allowed", () => {
    const refused = expect.objectContaining({ code: "prompt_too_long" });
    expect(() => fitPrompt(tokens, { window: 20, overflow: "refuse", num_keep: 4 }, false)).toThrow(refused);
  });
  it("always leaves room for an answer", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 4, max: 200 }),
        fc.integer({ min: -1, max: 300 }),
        fc.boolean(),
        (window, keep, begin) => {
          const fitted = fitPrompt(tokens, { window, overflow: "cut", num_keep: keep }, begin);
          expect(fitted.length).toBeLessThan(window);
          expect(fitted.at(-1)).toBe(99);
        },
      ),
    );
  });
});

import { describe, expect, it } from "vitest";
import { createDraftLookup } from "../../../server/runner/llama-engine/sequences/draft-lookup.ts";
import { createDraftedSequence } from "../../../server/runner/llama-engine/sequences/drafted-sequence.ts";
import { createDraftPolicy } from "../../../server/runner/llama-engine/sequences/draft-policy.ts";

const numbers = (text: string) => [...text].map((letter) => letter.charCodeAt(0));
const letters = (tokens: readonly number[]) => String.fromCharCode(...tokens);

/** A lookup over a prompt, and what was answered so far. */
function lookupOf(prompt: string, answer = "") {
  const lookup = createDraftLookup(numbers(prompt));
  for (const token of numbers(answer)) lookup.add(token);
  return { matched: lookup.matched, draft: (most: number) => letters(lookup.draft(most)) };
}

describe("the draft of the next tokens", () => {
  it("continues as the text did after the same tokens before", () => {
    expect(lookupOf("the quick brown fox; the q").draft(5)).toBe("uick ");
    expect(lookupOf("copy: abcdefgh. ", "abc").draft(3)).toBe("def");
  });

  it("is empty when no earlier tokens match", () => {
    expect(lookupOf("abcdefgh").draft(5)).toBe("");
    expect(lookupOf("ab", "ab").draft(5)).toBe("");
    expect(lookupOf("").draft(5)).toBe("");
  });

  it("copies from the newest match, and continues there although that place comes twice", () => {
    expect(lookupOf("xyz1 xyz2 xyz").draft(2)).toBe("2 ");
    expect(lookupOf("abcxyz1 _xyz2 ", "abcxyz").draft(2)).toBe("1 ");
  });

  it("repeats a text that goes in a circle", () => {
    expect(lookupOf("", "abababab").draft(5)).toBe("ababa");
    expect(lookupOf("", "aaaa").draft(4)).toBe("aaaa");
  });

  it("reports how many tokens matched, and resets at the first mismatch", () => {
    expect(lookupOf("abcdefgh. ", "abc").matched).toBe(3);
    expect(lookupOf("abcdefgh. ", "abcdef").matched).toBe(6);
    expect(lookupOf("abcdefgh. ", "abcdefX").matched).toBe(0);
  });

  it("is right for everything copied from a long prompt", () => {
    const prompt = Array.from({ length: 5000 }, (_, i) => (i * i * 7919) % 4001);
    const lookup = createDraftLookup(prompt);
    const copied = prompt.slice(1000, 1200);
    const proposed = copied.filter((token) => {
      const [propose] = lookup.draft(1);
      lookup.add(token);
      return propose === token;
    });
    expect(proposed.length).toBeGreaterThan(190);
  });
});

/** Steps on a machine where each token beyond the first costs `extra` of the first's time; `right`: guesses that are. */
function generate(steps: number, { extra, right, matched }: { extra: number; right: number; matched: number }) {
  const policy = createDraftPolicy();
  policy.begin();
  let [tokens, time, longest] = [0, 0, 0];
  for (let step = 0; step < steps; step++) {
    const drafted = policy.most(matched, 100);
    const drawn = 1 + Math.round(drafted * right);
    const ms = 20 * (1 + extra * drafted);
    policy.observe({ drafted, drawn, ms });
    tokens += drawn;
    time += ms;
    longest = Math.max(longest, drafted);
  }
  return { speed: (tokens * 20) / time, longest };
}

describe("the length of a draft", () => {
  it("grows with matched and accepted tokens", () => {
    const { speed, longest } = generate(100, { extra: 0.4, right: 1, matched: 30 });
    expect(longest).toBe(15);
    expect(speed).toBeGreaterThan(1.8);
  });

  it("fits into the room, and is zero without a measured cost", () => {
    const policy = createDraftPolicy();
    expect(policy.most(64, 100)).toBe(0);
    policy.observe({ drafted: 0, drawn: 1, ms: 20 });
    expect(policy.most(4, 100)).toBe(3);
    expect(policy.most(4, 2)).toBe(2);
    expect(policy.most(4, 1)).toBe(0);
    expect(policy.most(3, 100)).toBe(0);
  });

  it("costs next to nothing where drafts are rejected, or save nothing", () => {
    for (const right of [0, 0.2, 0.4])
      expect(generate(500, { extra: 0.5, right, matched: 64 }).speed).toBeGreaterThan(0.97);
    for (const extra of [1, 3]) expect(generate(500, { extra, right: 1, matched: 64 }).speed).toBeGreaterThan(0.95);
  });

  it("does not spend on one generation the credit of another", () => {
    const policy = createDraftPolicy();
    policy.observe({ drafted: 0, drawn: 1, ms: 20 });
    for (let i = 0; i < 20; i++) policy.observe({ drafted: 15, drawn: 16, ms: 100 });
    policy.begin();
    let lost = 0;
    for (let i = 0; i < 50; i++) {
      const drafted = policy.most(64, 100);
      const ms = drafted === 0 ? 20 : 100;
      policy.observe({ drafted, drawn: 1, ms });
      lost += ms - 20;
    }
    // At most the four tokens' time that one long draft costs here beyond its own.
    expect(lost).toBeLessThan(5 * 20);
  });
});

/** A sequence of a model with weights of these types, by number, in a window of 100 tokens of which 50 are used. */
function sequenceOf(
  types: Record<string, number>,
  more: { gpuLayers?: number; needsCheckpoints?: boolean; _decodeTokens?: undefined } = {},
) {
  const { gpuLayers = 0, ...changed } = more;
  const fullTensorInfo = Object.entries(types).map(([name, ggmlType]) => ({
    name,
    ggmlType,
    dimensions: name.includes("norm") ? [64] : [64, 64],
  }));
  const model = { gpuLayers, fileInfo: { fullTensorInfo } };
  const engine = { contextSize: 100, nextTokenIndex: 50, needsCheckpoints: false, _decodeTokens: async () => [] };
  return createDraftedSequence({ ...engine, model, ...changed } as unknown as Parameters<
    typeof createDraftedSequence
  >[0]);
}

describe("the number of tokens that can be evaluated together to the last bit", () => {
  const [f32, f16, q4_0, q8_0, q4_K, q6_K] = [0, 1, 2, 8, 12, 14] as const;

  it("is bounded by the window alone for most quantized weights, whatever norms and embeddings are", () => {
    expect(sequenceOf({ "a.weight": q4_0, "b.weight": q8_0, "attn_norm.weight": f32 }).room).toBe(48);
    expect(sequenceOf({ "a.weight": q6_K, "output.weight": q6_K, "token_embd.weight": f16 }).room).toBe(48);
  });

  it("is small where the engine adds larger batches up in another order", () => {
    expect(sequenceOf({ "a.weight": q4_K, "b.weight": q6_K }).room).toBe(2);
  });

  it("is none with an engine that lacks the internal method, which goes on without drafts", () => {
    const sequence = sequenceOf({ "a.weight": q4_0 }, { _decodeTokens: undefined });
    expect([sequence.canDraft, sequence.room]).toEqual([false, 0]);
  });

  it("is none with floating-point weights, on a GPU, or without a way back", () => {
    expect(sequenceOf({ "a.weight": q4_0, "router.weight": f32 }).canDraft).toBe(false);
    expect(sequenceOf({ "a.weight": q4_0, "token_embd.weight": f16 }).canDraft).toBe(false);
    expect(sequenceOf({ "a.weight": q4_0 }, { gpuLayers: 1 }).canDraft).toBe(false);
    expect(sequenceOf({ "a.weight": q4_0 }, { needsCheckpoints: true }).canDraft).toBe(false);
  });
});

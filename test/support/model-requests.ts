/** Generated requests to the model service: every family of routes, size, option, and clients that go away. */
import fc from "fast-check";

export interface ModelCall {
  readonly path: string;
  readonly body: object;
  /** What a call that is waited for answers. */
  readonly status: number;
  /** What the answer holds when it is whole: its last line or event, or a part of its only object. */
  readonly ending: string;
  /** The prompt may be longer than the window, which is then an error. */
  readonly mayBeTooLong?: boolean;
  /** The client goes away so many milliseconds after it has asked, or after so many pieces of the answer. */
  readonly leaves?: { readonly afterMs: number } | { readonly afterPieces: number } | undefined;
}

export const soakModels = ["first", "second"] as const;

const rarely = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3, nil: undefined });
const words = fc.array(fc.constantFrom("alpha", "beta", "gamma", "delta", "x"), { minLength: 1, maxLength: 20 });
/** Mostly short, at times longer than the windows that are asked for. */
const text = fc
  .tuple(
    words,
    fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 40 }) }),
  )
  .map(([some, times]) => `${some.join(" ")} `.repeat(times));
const tokens = fc.integer({ min: 0, max: 40 });

const options = fc.record(
  {
    num_ctx: rarely(fc.constantFrom(256, 512, 1024)),
    temperature: fc.constantFrom(0, 0.8, 1.5),
    seed: rarely(fc.integer({ min: 0, max: 99 })),
    top_k: rarely(fc.integer({ min: 0, max: 50 })),
    min_p: rarely(fc.constant(0.05)),
    repeat_penalty: rarely(fc.constantFrom(1, 1.1)),
    presence_penalty: rarely(fc.constant(0.5)),
    num_keep: rarely(fc.integer({ min: 0, max: 20 })),
    stop: rarely(fc.constantFrom(["a"], ["the", "qu"])),
  },
  { requiredKeys: ["temperature"] },
);
const format = rarely(
  fc.constantFrom("json", {
    type: "object",
    properties: { a: { enum: [1, 2] } },
    required: ["a"],
    additionalProperties: false,
  }),
);
const model = fc.constantFrom(...soakModels);
const keepAlive = fc.option(fc.constantFrom(0, 10, "5m", -1), { freq: 4, nil: undefined });
const turns = fc
  .array(text, { minLength: 1, maxLength: 5 })
  .map((said) => said.map((content, i) => ({ role: (said.length - i) % 2 === 1 ? "user" : "assistant", content })));

type Ask = Omit<ModelCall, "leaves">;
const answered = (path: string, body: object, ending: string): Ask => ({ path, body, status: 200, ending });

const native = fc
  .record({
    model,
    keep_alive: keepAlive,
    stream: fc.boolean(),
    format,
    options,
    num: tokens,
    logprobs: rarely(fc.boolean()),
  })
  .map(({ options: given, num, ...rest }) => ({ ...rest, options: { ...given, num_predict: num } }));
const completion = fc.record({ model, max_tokens: fc.integer({ min: 1, max: 40 }), stream: fc.boolean() });

const asks: fc.Arbitrary<Ask> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .record({
        common: native,
        prompt: text,
        raw: rarely(fc.boolean()),
        truncate: rarely(fc.constant(true)),
        shift: rarely(fc.boolean()),
      })
      .map(({ common, ...rest }) => ({
        ...answered("/api/generate", { ...common, ...rest }, '"done":true'),
        mayBeTooLong: rest.shift === false,
      })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ common: native, messages: turns })
      .map(({ common, messages }) => answered("/api/chat", { ...common, messages }, '"done":true')),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ common: completion, messages: turns, tool: rarely(fc.constantFrom("a", "b")) })
      .map(({ common, messages }) =>
        answered("/v1/chat/completions", { ...common, messages }, common.stream ? "[DONE]" : '"usage"'),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ common: completion, prompt: text })
      .map(({ common, prompt }) =>
        answered("/v1/completions", { ...common, prompt }, common.stream ? "[DONE]" : '"usage"'),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ common: completion, messages: turns })
      .map(({ common, messages }) =>
        answered("/v1/messages", { ...common, messages }, common.stream ? "message_stop" : '"usage"'),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ model, input: fc.array(text, { minLength: 1, maxLength: 3 }), options, keep_alive: keepAlive })
      .map((body) => answered("/api/embed", body, "prompt_eval_count")),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ model, keep_alive: keepAlive })
      .map((body) => answered("/api/generate", body, '"done":true')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Ask>(
      { path: "/api/chat", body: { model: "nobody", messages: [] }, status: 404, ending: '"error"' },
      {
        path: "/api/generate",
        body: { model: "first", prompt: "x", options: { seed: "x" } },
        status: 500,
        ending: '"error"',
      },
      { path: "/v1/completions", body: { model: "first", prompt: 7 }, status: 400, ending: '"error"' },
    ),
  },
);

const leaves = fc.option(
  fc.oneof(
    fc.integer({ min: 0, max: 40 }).map((afterMs) => ({ afterMs })),
    fc.integer({ min: 0, max: 12 }).map((afterPieces) => ({ afterPieces })),
  ),
  { freq: 3, nil: undefined },
);

/** So many calls; the same seed gives the same ones. */
export const modelCalls = (count: number, seed: number): ModelCall[] =>
  fc.sample(
    fc.record({ ask: asks, leaves }).map(({ ask, leaves: when }) => ({ ...ask, leaves: when })),
    { numRuns: count, seed },
  );

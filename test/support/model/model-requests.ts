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
    fc.oneof({ weight: 2, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.integer({ min: 2, max: 40 }) }),
  )
  .map(([some, times]) => `${some.join(" ")} `.repeat(times));
const tokens = fc.integer({ min: 0, max: 40 });

const options = fc.record(
  {
    num_ctx: fc.constantFrom(256, 256, 512, 1024, undefined),
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
/** Mostly gone at once, so that the next request loads it anew. */
const keepAlive = fc.constantFrom(0, 0, 0, 10, "5m", -1, undefined);
const turns = fc
  .array(text, { minLength: 1, maxLength: 5 })
  .map((said) => said.map((content, i) => ({ role: (said.length - i) % 2 === 1 ? "user" : "assistant", content })));
const system = fc.constantFrom("be brief", "answer in one word, and never say which one it is");

/** A function in the words of OpenAI's API, which are Ollama's, too. */
const lookUp = {
  name: "look_up",
  parameters: { type: "object", properties: { word: { type: "string" } }, required: ["word"] },
};
const tools = [{ type: "function", function: lookUp }];
const choice = fc.constantFrom("auto", "none", "required", { type: "function", function: { name: lookUp.name } });
const toolUse = rarely(fc.record({ tools: fc.constant(tools), tool_choice: choice }));
const responsesUse = rarely(fc.constant({ tools: [{ type: "function", ...lookUp }] }));
const messagesUse = rarely(fc.constant({ tools: [{ name: lookUp.name, input_schema: lookUp.parameters }] }));

/** What an earlier answer might have given back. */
const context = fc.array(fc.integer({ min: 3, max: 700 }), { minLength: 1, maxLength: 300 });

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
    top_logprobs: rarely(fc.integer({ min: 0, max: 5 })),
    think: rarely(fc.boolean()),
    progress: fc.boolean(),
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
        how: fc.oneof(fc.constant({}), fc.constant({ raw: true }), fc.record({ system }), fc.record({ context })),
        truncate: rarely(fc.boolean()),
        shift: rarely(fc.boolean()),
      })
      .map(({ common, how, ...rest }) => ({
        ...answered("/api/generate", { ...common, ...how, ...rest }, '"done":true'),
        mayBeTooLong: rest.shift === false || rest.truncate === false,
      })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ common: native, said: turns, head: rarely(system), use: toolUse, shift: rarely(fc.boolean()) })
      .map(({ common, said, head, use, shift }) => {
        const messages = [...(head === undefined ? [] : [{ role: "system", content: head }]), ...said];
        return {
          ...answered("/api/chat", { ...common, ...use, messages, shift }, '"done":true'),
          // What tells the model who it is and what it may call is never left out.
          mayBeTooLong: head !== undefined || use !== undefined || shift === false,
        };
      }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ common: completion, messages: turns, use: toolUse, logprobs: rarely(fc.boolean()) })
      .map(({ common, messages, use, logprobs }) =>
        answered(
          "/v1/chat/completions",
          { ...common, ...use, messages, logprobs },
          common.stream ? "[DONE]" : '"usage"',
        ),
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
      .record({ common: completion, messages: turns, use: messagesUse, system: rarely(system) })
      .map(({ common, use, ...rest }) =>
        answered("/v1/messages", { ...common, ...use, ...rest }, common.stream ? "message_stop" : '"usage"'),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .record({ model, input: turns, max: fc.integer({ min: 1, max: 40 }), stream: fc.boolean(), use: responsesUse })
      .map(({ max, use, ...rest }) =>
        answered(
          "/v1/responses",
          { ...rest, ...use, max_output_tokens: max },
          rest.stream ? "response.completed" : '"usage"',
        ),
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

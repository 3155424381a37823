/**
 * Random requests by all APIs that demand a form of the answer, to models that mostly end or repeat themselves inside their
 * thoughts: an answer that says it is whole must have that form.
 */
import fc from "fast-check";
import { weatherTool } from "./family-templates.ts";
import type { ModelService, Wire } from "./model-service.ts";
import { schemaValidator } from "./schema-validator.ts";

export interface DemandedAnswers {
  /** Answers that say they are whole, and those that say they were cut. */
  whole: number;
  cut: number;
  /** Whole answers without the demanded form, and replies that are no answers. */
  readonly wrong: string[];
}

interface Answer {
  readonly isWhole: boolean;
  readonly content: string;
  readonly calls: readonly { readonly name: string; readonly input: () => unknown }[];
}

const schema = {
  type: "object",
  properties: { mood: { enum: ["good", "bad"] }, age: { type: "integer", minimum: 0, maximum: 150 } },
  required: ["mood", "age"],
  additionalProperties: false,
};
const isBySchema = schemaValidator(schema);
const parameters = {
  type: "object",
  properties: { city: { type: "string", maxLength: 12 }, days: { type: "integer", minimum: 1, maximum: 7 } },
  required: ["city"],
  additionalProperties: false,
};
const isCallOfTool = schemaValidator(parameters);
const tool = { ...weatherTool, parameters };
const messages = [{ role: "user", content: "How is the weather?" }];

const hasSchema = ({ content }: Answer) => isBySchema(JSON.parse(content));
const hasJson = ({ content }: Answer) => (typeof JSON.parse(content) === "object" ? "" : "no object");
const hasCall = ({ calls }: Answer) =>
  calls.length === 0
    ? "no call"
    : calls.map(({ name, input }) => (name === tool.name ? isCallOfTool(input()) : `calls ${name}`)).join("");

/** A demand: the members of the request, and what is wrong with an answer. */
type Demand = readonly [body: object, problem: (answer: Answer) => string];

interface Api {
  readonly path: string;
  readonly demands: readonly Demand[];
  readonly body: (options: { limit: number; temperature: number; seed: number; stop: readonly string[] }) => object;
  readonly read: (reply: Wire) => Answer;
}

const openAiTools = { tools: [{ type: "function", function: tool }] };
const flatTools = { tools: [{ type: "function", ...tool }] };
const anthropicTools = { tools: [{ name: tool.name, description: tool.description, input_schema: parameters }] };
const jsonSchema = { name: "mood", strict: true, schema };

const apis: readonly Api[] = [
  {
    path: "/api/chat",
    demands: [
      [{ format: schema }, hasSchema],
      [{ format: "json" }, hasJson],
    ],
    body: ({ limit, temperature, seed, stop }) => ({
      messages,
      options: { num_predict: limit, temperature, seed, stop },
    }),
    read: ({ message, done_reason }) => ({ isWhole: done_reason === "stop", content: message.content, calls: [] }),
  },
  {
    path: "/v1/chat/completions",
    demands: [
      [{ response_format: { type: "json_schema", json_schema: jsonSchema } }, hasSchema],
      [{ response_format: { type: "json_object" } }, hasJson],
      [{ ...openAiTools, tool_choice: "required" }, hasCall],
      [{ ...openAiTools, tool_choice: { type: "function", function: { name: tool.name } } }, hasCall],
    ],
    body: ({ limit, ...others }) => ({ messages, max_tokens: limit, ...others }),
    read: ({ choices: [{ message, finish_reason }] }) => ({
      isWhole: finish_reason !== "length",
      content: message.content,
      calls: (message.tool_calls ?? []).map((call: Wire) => ({
        name: call.function.name,
        input: () => JSON.parse(call.function.arguments),
      })),
    }),
  },
  {
    path: "/v1/responses",
    demands: [
      [{ text: { format: { type: "json_schema", ...jsonSchema } } }, hasSchema],
      [{ text: { format: { type: "json_object" } } }, hasJson],
      [{ ...flatTools, tool_choice: "required" }, hasCall],
      [{ ...flatTools, tool_choice: { type: "function", name: tool.name } }, hasCall],
    ],
    body: ({ limit, temperature }) => ({ input: "How is the weather?", max_output_tokens: limit, temperature }),
    read: ({ status, incomplete_details, output }) => ({
      isWhole: status === "completed" && incomplete_details === null,
      content: output.flatMap((item: Wire) => (item.content ?? []).map(({ text = "" }: Wire) => text)).join(""),
      calls: output
        .filter(({ type }: Wire) => type === "function_call")
        .map((call: Wire) => ({ name: call.name, input: () => JSON.parse(call.arguments) })),
    }),
  },
  {
    path: "/v1/messages",
    demands: [
      [{ ...anthropicTools, tool_choice: { type: "any" } }, hasCall],
      [{ ...anthropicTools, tool_choice: { type: "tool", name: tool.name } }, hasCall],
    ],
    body: ({ limit, temperature, stop }) => ({
      messages,
      max_tokens: limit,
      temperature: Math.min(1, temperature),
      thinking: { type: "enabled", budget_tokens: 1_024 },
      stop_sequences: stop,
    }),
    read: ({ content, stop_reason }) => ({
      isWhole: stop_reason === "end_turn" || stop_reason === "tool_use",
      content: "",
      calls: content
        .filter(({ type }: Wire) => type === "tool_use")
        .map(({ name, input }: Wire) => ({ name, input: () => input })),
    }),
  },
];

const anyRequest = (models: readonly string[]) =>
  fc.record({
    model: fc.constantFrom(...models),
    api: fc.constantFrom(...apis),
    demand: fc.nat(),
    limit: fc.constantFrom(60, 400, 900),
    temperature: fc.constantFrom(0, 0.8, 1, 1.5),
    seed: fc.nat(100_000),
    stop: fc.constantFrom<readonly string[]>([], [], ["e"], ["\n\n", "oo"]),
  });

async function ask(
  service: Pick<ModelService, "post">,
  { model, api, demand, ...options }: ReturnType<typeof anyRequest> extends fc.Arbitrary<infer One> ? One : never,
): Promise<"whole" | "cut" | { problem: string }> {
  const chosen = api.demands[demand % api.demands.length];
  if (chosen === undefined) throw new Error(`${api.path} has no demands`);
  const body = { model, stream: false, ...api.body(options), ...chosen[0] };
  const reply = await service.post(api.path, body);
  const text = await reply.text();
  const wrong = (problem: string) => ({
    problem: `${api.path} ${JSON.stringify(body)}: ${text.slice(0, 300)}: ${problem}`,
  });
  if (reply.status !== 200) return wrong(String(reply.status));
  const answer = api.read(JSON.parse(text));
  if (!answer.isWhole) return "cut";
  try {
    const problem = chosen[1](answer);
    return problem === "" ? "whole" : wrong(problem);
  } catch (error) {
    return wrong(String(error));
  }
}

/** As many as ask at the same time. */
const atOnce = 4;

/** Asks `models` for `count` answers. */
export async function demandedAnswers(
  service: Pick<ModelService, "post">,
  { models, count, seed }: { models: readonly string[]; count: number; seed: number },
): Promise<DemandedAnswers> {
  const found: DemandedAnswers = { whole: 0, cut: 0, wrong: [] };
  const left = fc.sample(anyRequest(models), { numRuns: count, seed }).values();
  async function client(): Promise<void> {
    for (const request of left) {
      const outcome = await ask(service, request);
      if (typeof outcome === "object") found.wrong.push(outcome.problem);
      else found[outcome]++;
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client));
  return found;
}

/** Calls of tools with copied arguments, answers from results, and questions that no tool fits. */
import { z } from "zod";
import { callText, spacedJson, type Call, type Message, type Tool } from "../corpus/chat.ts";
import { readData } from "../corpus/data-files.ts";
import type { Language } from "../corpus/language.ts";
import type { Random } from "../corpus/random.ts";
import { fill, type Task } from "./task.ts";
import { valueOf, type Scalar } from "./values.ts";

const textsSchema = z.strictObject({ asked: z.array(z.string()), judgedBy: z.array(z.string()), say: z.string() });
const kitSchema = z.strictObject({
  names: z.array(z.string()),
  description: z.string(),
  parameters: z.array(
    z.strictObject({ names: z.array(z.string()), type: z.enum(["string", "integer", "number"]), value: z.string() }),
  ),
  en: textsSchema,
  zh: textsSchema,
  /** Members of the result, with the kinds of their values. */
  result: z.record(z.string(), z.string()),
});
type Kit = z.infer<typeof kitSchema>;
const kits = z.array(kitSchema).parse(JSON.parse(readData("skills/tool-kits.json")));

/** A kit with one choice of its names. */
function offer(kit: Kit, random: Random): { kit: Kit; tool: Tool; names: string[] } {
  const names = kit.parameters.map((parameter) => random.pick(parameter.names));
  const properties = Object.fromEntries(kit.parameters.map(({ type }, index) => [names[index] ?? "", { type }]));
  const parameters = { type: "object", properties, required: names };
  return { kit, names, tool: { name: random.pick(kit.names), description: kit.description, parameters } };
}

/** Tools that are offered beside a question that they do not fit. */
export const someTools = (random: Random): Tool[] =>
  random.sample(kits, random.between(1, 3)).map((kit) => offer(kit, random).tool);

function resultOf(kit: Kit, values: readonly Scalar[], language: Language, random: Random): Record<string, Scalar> {
  const [first, second] = values.map(Number);
  const made = Object.entries(kit.result).map(([name, kind]): [string, Scalar] => {
    if (kind === "sum") return [name, (first ?? 0) + (second ?? 0)];
    return [name, kind === "product" ? (first ?? 0) * (second ?? 0) : valueOf(kind, language, random)];
  });
  return Object.fromEntries(made);
}

interface Options {
  /** Asks by a wording that was kept back. */
  readonly held: boolean;
  /** The tool has been called: the answer tells its result. */
  readonly answered: boolean;
}

/** One question with one to three tools on offer, one of which fits. */
export function toolTask(language: Language, random: Random, { held, answered }: Options): Task {
  const kit = random.pick(kits);
  const { tool, names } = offer(kit, random);
  const others = random.sample(
    kits.filter((other) => other !== kit),
    random.pick([0, 0, 1, 1, 2]),
  );
  const tools = random.sample([tool, ...others.map((other) => offer(other, random).tool)], 3);
  const values = kit.parameters.map(({ value }) => valueOf(value, language, random));
  const texts = kit[language];
  const template = random.pick(held ? texts.judgedBy : texts.asked);
  // Of the template alone: a value at the beginning keeps its case, since it is copied.
  const begun = random.chance(0.5) ? template.charAt(0).toUpperCase() + template.slice(1) : template;
  const places = Object.fromEntries(values.map((value, index) => [String(index), value]));
  const question = fill(begun, places);
  const end = random.chance(0.4) ? (language === "en" ? random.pick(["?", "."]) : random.pick(["？", "。"])) : "";
  const call: Call = {
    name: tool.name,
    arguments: Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""])),
  };
  const user: Message = { role: "user", content: question + (Number.isNaN(Number(question.at(-1))) ? end : "") };
  if (!answered)
    return {
      kind: "tool call",
      language,
      conversation: { tools, messages: [user] },
      answer: callText(call),
      expected: { call },
    };
  const result = resultOf(kit, values, language, random);
  const answer = fill(texts.say, { ...places, ...result });
  const messages: Message[] = [
    user,
    { role: "assistant", content: "", calls: [call] },
    { role: "tool", content: spacedJson(result) },
  ];
  return { kind: "tool result", language, conversation: { tools, messages }, answer, expected: { text: answer } };
}

/** Checks the answer of a rule against the request, as a grammar does with that of a real model. */
import { inEnglish } from "../../contract/messages/in-english.ts";
import { parseJson } from "../../contract/parse-json.ts";
import { foreignDeadlineMs } from "../../foreign/foreign-limits.ts";
import { withinDeadline } from "../../foreign/within-deadline.ts";
import { hasFormat } from "../../json-schema/formats.ts";
import { withoutNulls } from "../../json-schema/json-schema.ts";
import { schemaReferences, type SchemaReferences } from "../../json-schema/schema-references.ts";
import { schemaValidator } from "../../json-schema/schema-validator.ts";
import { isObject } from "../../contract/is-object.ts";
import type { ModelRule } from "../../contract/model/model-rules.ts";
import type { SchemaRecord, ToolDefinition } from "../chat-completion.ts";
import { GrammarLimitError } from "../grammar/grammar-size.ts";
import { satisfies } from "../grammar/satisfies.ts";
import { withinBudget } from "../grammar/work-budget.ts";
import { OllamaError } from "../ollama-error.ts";
import type { RuleRequest } from "./rule-request.ts";
import { ruleText } from "./write-answer.ts";

/** Whether grammars would allow the value; undefined for a schema that they judge only as a whole. */
function isAllowed(value: unknown, schema: SchemaRecord, references: SchemaReferences): boolean | undefined {
  try {
    return withinBudget(() => satisfies(value, schema, references, ""));
  } catch (error) {
    if (error instanceof OllamaError || error instanceof GrammarLimitError) return undefined;
    throw error;
  }
}

/** The first problem by JSON Schema 2020-12: its place and its words. Older drafts know other forms of keywords. */
function firstProblem(value: unknown, schema: SchemaRecord, references: SchemaReferences): string | undefined {
  const matches = (pattern: string, text: string) => new RegExp(pattern, "u").test(text);
  const validate = schemaValidator(schema, references, { matches, hasFormat });
  try {
    const [problem] = withinDeadline(foreignDeadlineMs, () => validate(value));
    return problem && `${problem.path.map((part) => `/${part}`).join("") || "it"} ${inEnglish(problem.message)}`;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Where and why a value does not satisfy a schema; undefined if it does. */
function schemaProblem(value: unknown, schema: SchemaRecord): string | undefined {
  const root = withoutNulls(schema);
  const references = schemaReferences(root);
  const allowed = isAllowed(value, root, references);
  if (allowed === true) return undefined;
  return (
    firstProblem(value, root, references) ?? (allowed === false ? "it is not one of the allowed values" : undefined)
  );
}

function formatProblem(text: string, format: "json" | SchemaRecord): string | undefined {
  const value = parseJson(text);
  if (value === undefined)
    return `its text is not the JSON that the request demands: ${JSON.stringify(text.slice(0, 100))}`;
  if (format === "json") return isObject(value) ? undefined : "its text must be a JSON object, as the request demands";
  const problem = schemaProblem(value, format);
  return problem && `its text does not match the format of the request: ${problem}`;
}

function argumentsProblem(
  { name, arguments: values = {} }: NonNullable<ModelRule["calls"]>[number],
  { parameters }: ToolDefinition,
): string | undefined {
  const problem = parameters && schemaProblem(values, parameters);
  return problem && `the arguments of its call ${JSON.stringify(name)} do not match the tool: ${problem}`;
}

/** Why the answer of a rule is none to the request; undefined if it is one. */
export function answerProblem(rule: ModelRule, asked: RuleRequest): string | undefined {
  const { calls = [], fault } = rule;
  const { tools, toolChoice, format } = asked;
  const text = ruleText(rule);
  const hasAnswer = text !== undefined || calls.length > 0;
  if (fault?.kind === "endless_thought" || (fault !== undefined && !hasAnswer)) return undefined;
  const toolOf = (name: string) => tools.find((tool) => tool.name === name);
  const unknown = calls.find(({ name }) => toolOf(name) === undefined);
  if (unknown) return `it calls ${JSON.stringify(unknown.name)}, which the request does not offer as a tool`;
  const isForced = toolChoice === "required" || typeof toolChoice === "object";
  if (!isForced && format === undefined) return undefined;
  if (isForced && calls.length === 0) return "tool_choice demands a call";
  if (typeof toolChoice === "object" && calls.some(({ name }) => name !== toolChoice.name))
    return `tool_choice demands a call of ${JSON.stringify(toolChoice.name)}`;
  if (calls.length === 0) return format && formatProblem(text ?? "", format);
  if (text) return "it has both a text and calls, and the request allows one of them";
  for (const call of calls) {
    const tool = toolOf(call.name);
    const problem = tool && argumentsProblem(call, tool);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Grammar of calls: parts shared by the families' markups. */
import type { ToolDefinition } from "../../chat-completion.ts";
import { literal, oneOf, type GrammarRules } from "../../grammar/grammar-rules.ts";
import { spaceRule } from "../../grammar/json-rules.ts";
import { schemaRule } from "../../grammar/schema-grammar.ts";
import { ofTool, unenforceable } from "../../grammar/unenforceable.ts";
import { topPlace } from "../../grammar/schema-place.ts";

/** The arguments' object of a tool; empty where its parameters name no members. @throws OllamaError 400 for another type */
export function argumentsRule(tool: ToolDefinition, rules: GrammarRules): string {
  const path = `#/tools/${tool.name}`;
  const { type = "object" } = tool.parameters ?? {};
  if (![type].flat().includes("object")) throw unenforceable("type", path, "arguments are an object");
  const schema = { properties: {}, ...tool.parameters, type: "object" };
  return rules.once(tool, `${tool.name}-arguments`, () => schemaRule(schema, topPlace({ rules, root: schema, path })));
}

/** One of the tools, each as written by `body`. @throws OllamaError 400 that names the tool */
export const anyTool = (
  tools: readonly ToolDefinition[],
  rules: GrammarRules,
  body: (tool: ToolDefinition) => string,
) => rules.add("call", oneOf(tools.map((tool) => ofTool(tool.name, () => body(tool)))));

/** `{"name": …, "arguments": …}`, with the family's name for the second member. */
export function jsonCall(
  tools: readonly ToolDefinition[],
  rules: GrammarRules,
  member: "arguments" | "parameters",
): string {
  const ws = spaceRule(rules);
  return anyTool(
    tools,
    rules,
    (tool) =>
      `"{" ${ws} "\\"name\\":" ${ws} ${literal(JSON.stringify(tool.name))} ${ws} "," ${ws} ` +
      `"\\"${member}\\":" ${ws} ${argumentsRule(tool, rules)} ${ws} "}"`,
  );
}

/** The most forced calls in one answer; without a limit, weak models call for ever. */
export const mostCalls = 8;

/** One to `most`, with a separator. */
export const several = (call: string, between: string, most: number) =>
  most === 1 ? call : `${call} (${between} ${call}){0,${String(most - 1)}}`;

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

/** The names of a call's members; `id` where the family numbers its calls. */
export interface CallMembers {
  readonly id?: string;
  /** Undefined where the arguments have the tool's name as theirs. */
  readonly name?: string;
  readonly arguments: string;
}

/** `{"name": …, "arguments": …}`, with the family's names for the members. */
export function jsonCall(
  tools: readonly ToolDefinition[],
  rules: GrammarRules,
  members: CallMembers = { name: "name", arguments: "arguments" },
): string {
  const ws = spaceRule(rules);
  const member = (name: string) => `${literal(`${JSON.stringify(name)}:`)} ${ws}`;
  const number = `${literal('"')} [0-9]+ ${literal('"')}`;
  const id = members.id === undefined ? "" : `${member(members.id)} ${number} ${ws} "," ${ws}`;
  const named = ({ name }: ToolDefinition) =>
    members.name === undefined
      ? member(name)
      : `${member(members.name)} ${literal(JSON.stringify(name))} ${ws} "," ${ws} ${member(members.arguments)}`;
  return anyTool(tools, rules, (tool) => `"{" ${ws} ${id} ${named(tool)} ${argumentsRule(tool, rules)} ${ws} "}"`);
}

/** The most forced calls in one answer; without a limit, weak models call for ever. */
export const mostCalls = 8;

/** One to `most`, with a separator. */
export const several = (call: string, between: string, most: number) =>
  most === 1 ? call : `${call} (${between} ${call}){0,${String(most - 1)}}`;

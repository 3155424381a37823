/** MiniMax M3: a mark before each tag, and values of any depth as tags in tags. */
import { isObject } from "../../../../contract/is-object.ts";
import type { SchemaRecord, ToolDefinition } from "../../../chat-completion.ts";
import { literal, type GrammarRules } from "../../../grammar/grammar-rules.ts";
import type { ParsedCall } from "../answer-part.ts";
import { anyTool, several } from "../call-grammar.ts";
import { bodyUpTo, callsOrText, isName, type CallSyntax } from "../call-syntax.ts";
import { allowedTypes, argumentsInOrder, parameterSchemas, parameterValue } from "../tool-parameters.ts";
import type { Family } from "./family.ts";

const mark = "]<]minimax[>[";
const open = `${mark}<tool_call>`;
const close = `${mark}</tool_call>`;

interface Tag {
  readonly name: string;
  readonly attribute: string;
  text: string;
  readonly children: Tag[];
}

/** The tags in a text, in each other. */
function tagsOf(text: string): Tag[] {
  const root: Tag = { name: "", attribute: "", text: "", children: [] };
  const stack = [root];
  for (const piece of text.split(mark).slice(1)) {
    const [, end, name = "", attribute = "", inside = ""] =
      /^<(\/)?([^\s<>]+)(?:\s+name="([^"]*)")?>(.*)$/s.exec(piece) ?? [];
    if (end !== undefined) {
      if (stack.length > 1) stack.pop();
      continue;
    }
    const tag = { name, attribute, text: inside, children: [] };
    stack.at(-1)?.children.push(tag);
    stack.push(tag);
  }
  return root.children;
}

/** The schema of a member or an item: that of the schema itself or of one of its alternatives. */
function innerSchema(schema: unknown, find: (one: SchemaRecord) => unknown): unknown {
  if (!isObject(schema)) return undefined;
  const alternatives = [schema["anyOf"], schema["oneOf"]].flatMap((some): unknown[] =>
    Array.isArray(some) ? some : [],
  );
  return [schema, ...alternatives]
    .filter(isObject)
    .map(find)
    .find((found) => found !== undefined);
}

/** The value of a tag: a list of items, an object of other tags, or what its text says. */
function valueOf({ text, children }: Tag, schema: unknown, tool: ToolDefinition | undefined): unknown {
  const types = allowedTypes(schema, tool);
  const isList = children.every(({ name }) => name === "item") && types?.has("array") !== false;
  if (children.length === 0 && text.trim() === "" && types?.has("string") === false && types.has("array")) return [];
  if (children.length === 0 && text.trim() === "" && types?.has("string") === false && types.has("object")) return {};
  if (children.length === 0) return parameterValue(text, schema, tool).value;
  if (isList)
    return children.map((child) =>
      valueOf(
        child,
        innerSchema(schema, ({ items }) => items),
        tool,
      ),
    );
  const member = (name: string) =>
    innerSchema(schema, ({ properties }) => (isObject(properties) ? properties[name] : undefined));
  return Object.fromEntries(children.map((child) => [child.name, valueOf(child, member(child.name), tool)]));
}

/** The calls in a body; undefined for other text. */
function callsIn(body: string, tools: readonly ToolDefinition[]): ParsedCall[] | undefined {
  const tags = tagsOf(body);
  const areCalls = tags.every(({ name, attribute }) => name === "invoke" && isName(attribute, tools));
  if (!areCalls || tags.length === 0) return undefined;
  return tags.map(({ attribute, children }) => {
    const tool = tools.find(({ name }) => name === attribute);
    const schemas = parameterSchemas(tool);
    const entries = children.map((child) => [child.name, valueOf(child, schemas[child.name], tool)] as const);
    return { name: attribute, arguments: Object.fromEntries(entries) };
  });
}

/** Arguments in their order. Lists and objects are written as JSON, which the parser reads, too. */
const writtenArguments = (tool: ToolDefinition, rules: GrammarRules) =>
  argumentsInOrder(
    tool,
    rules,
    mark,
    (name, value) => `${literal(`${mark}<${name}>`)} ${value} ${literal(`${mark}</${name}>`)}`,
  );

const calls: CallSyntax = {
  open: [open],
  ignored: [close],
  read(text, context) {
    const found = bodyUpTo(text, close, context);
    return found && callsOrText(found.body.replaceAll(mark, " "), found.length, callsIn(found.body, context.tools));
  },
  readCut(text, { tools }) {
    const whole = callsIn(
      text.slice(0, text.lastIndexOf(`${mark}</invoke>`) + mark.length + "</invoke>".length),
      tools,
    );
    const [, name] = /<invoke name="([^"]+)">(?!.*<\/invoke>)/s.exec(text) ?? [];
    return { calls: whole ?? [], cut: name === undefined ? undefined : { name, arguments: "{" } };
  },
  grammar(tools, rules, most) {
    const call = anyTool(
      tools,
      rules,
      (tool) =>
        `${literal(`${mark}<invoke name="${tool.name}">`)} ${writtenArguments(tool, rules)} ${literal(`${mark}</invoke>\n`)}`,
    );
    return `${literal(`${open}\n`)} ${several(call, '""', most)} ${literal(close)}`;
  },
};

export const miniMaxM3: Family = { name: "minimax-m3", written: /\]<\]minimax\[>\[<tool_call>/, calls };

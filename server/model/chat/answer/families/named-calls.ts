/** Families whose calls are a name and arguments in JSON, with a text of their own between them. */
import { literal } from "../../../grammar/grammar-rules.ts";
import type { CallSyntax } from "../call-syntax.ts";
import { namedJsonCalls } from "../named-json-calls.ts";
import type { Family } from "./family.ts";

const begin = "<｜tool▁call▁begin｜>";
const end = "<｜tool▁call▁end｜>";
const separator = "<｜tool▁sep｜>";
const section = { open: "<｜tool▁calls▁begin｜>", close: "<｜tool▁calls▁end｜>" };

/** The word in front of the name in V3 and R1. */
const word = `function${separator}`;
/** A part of a name between blanks. */
const plain = "[^\\s<{`]+";

/** Reads both forms. Their templates show earlier calls and results, but not the tools: the system message describes those. */
const deepSeekCalls = (head: (name: string) => string, behind: string): CallSyntax => {
  const syntax = namedJsonCalls({
    section,
    open: begin,
    close: end,
    // In V3 and R1 the word "function" is in front of the name, which may have blanks in it. It is no name unless arguments follow.
    head: new RegExp(
      `^\\s*(?:${word})?(?<name>(?!${word}\\s*(?:[^\\s{]|$))${plain}(?:[ \\t]+${plain})*)\\s*(?:${separator}|(?:\`{3}\\w*\\s*)?(?=\\{))`,
    ),
    separators: [separator],
    results: ["<｜tool▁outputs▁begin｜>", "<｜tool▁outputs▁end｜>", "<｜tool▁output▁begin｜>", "<｜tool▁output▁end｜>"],
    written: { head: (name) => literal(head(name)), end: behind },
    between: '"\\n"?',
  });
  const example = `${head("NAME")}{"argument": "value"}${behind}`;
  const teach: CallSyntax["teach"] = (tools) =>
    [
      "## Tools",
      "You may call these functions:",
      tools.map((tool) => JSON.stringify(tool)).join("\n"),
      `To call one, write its name and its arguments as JSON, exactly like this, and nothing behind it:`,
      `${section.open}${begin}${example}${end}${section.close}`,
      `For several calls write several of the parts from ${begin} to ${end}.`,
    ].join("\n\n");
  return Object.assign(syntax, { teach });
};

/** DeepSeek V3 and R1. */
export const deepSeekFenced: Family = {
  name: "deepseek-v3",
  written: new RegExp(`${begin}function${separator}\\w`),
  calls: deepSeekCalls((name) => `function${separator}${name}\n\`\`\`json\n`, "\n```"),
};
/** DeepSeek V3.1. */
export const deepSeekNamed: Family = {
  name: "deepseek-v3.1",
  written: new RegExp(`${begin}\\w+${separator}\\{`),
  calls: deepSeekCalls((name) => `${name}${separator}`, ""),
};

/** Kimi K2, whose ids are names with a number. */
export const kimiK2: Family = {
  name: "kimi-k2",
  written: /<\|tool_call_begin\|>/,
  calls: namedJsonCalls({
    section: { open: "<|tool_calls_section_begin|>", close: "<|tool_calls_section_end|>" },
    open: "<|tool_call_begin|>",
    close: "<|tool_call_end|>",
    head: /^\s*(?<id>(?:functions\.)?(?<name>[^<:\s]+)(?::\d+)?)\s*<\|tool_call_argument_begin\|>/,
    separators: ["<|tool_call_argument_begin|>"],
    written: {
      head: (name) => `${literal(`functions.${name}:`)} [0-9] "<|tool_call_argument_begin|>"`,
      end: "",
    },
  }),
};

/** Functionary 3.1: `<function=name>{…}</function>`. */
export const functionary31: Family = {
  name: "functionary-3.1",
  written: /<function=[^<>]+>\{/,
  calls: namedJsonCalls({
    open: "<function=",
    close: "</function>",
    head: /^(?<name>[^<>\n]+)>/,
    separators: [],
    isKnown: true,
    written: { head: (name) => literal(`${name}>`), end: "" },
  }),
};

const recipient = ">>>";
const toAll = "all\n";
const functionary32Calls = namedJsonCalls({
  open: recipient,
  close: "",
  head: /^(?<name>[^\n{]+)\n/,
  separators: [],
  isKnown: true,
  isOpenedByPrompt: true,
  written: { head: (name) => literal(`${name}\n`), end: "" },
});

/** Functionary 3.2: each part has a recipient, `all` or a tool, and prompts end with the mark of the first. */
export const functionary32: Family = {
  name: "functionary-3.2",
  written: />>>[^\n>]+\n\{/,
  calls: {
    ...functionary32Calls,
    open: [recipient],
    ignored: [],
    mayBeBare: () => true,
    read(text, context) {
      if (text.startsWith(toAll)) return { length: toAll.length, calls: [], text: "" };
      if (!context.isEnd && toAll.startsWith(text)) return undefined;
      const read = functionary32Calls.read(text, context);
      return read?.isLiteral === true && context.opening === "" ? { length: 0, calls: [] } : read;
    },
    readCut: (text, context) => (toAll.startsWith(text) ? { calls: [] } : functionary32Calls.readCut(text, context)),
    grammar: (tools, rules, most) => functionary32Calls.grammar(tools, rules, most),
  },
};

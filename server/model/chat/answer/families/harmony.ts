/** gpt-oss, whose calls its own parser reads. */
import { literal } from "../../../grammar/grammar-rules.ts";
import { anyTool, argumentsRule } from "../call-grammar.ts";
import type { CallSyntax } from "../call-syntax.ts";
import type { Family } from "./family.ts";

const harmonyCalls: CallSyntax = {
  open: [],
  ignored: [],
  read: () => undefined,
  readCut: () => undefined,
  grammar: (tools, rules) =>
    anyTool(
      tools,
      rules,
      (tool) =>
        `${literal(`<|channel|>commentary to=functions.${tool.name} <|constrain|>json<|message|>`)} ${argumentsRule(tool, rules)}`,
    ),
};

export const harmony: Family = { name: "harmony", written: /<\|channel\|>commentary/, calls: harmonyCalls };

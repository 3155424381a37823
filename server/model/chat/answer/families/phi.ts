/** Phi 4 mini and Granite 3: one list of all calls in JSON, also as `functools[…]`, the form of FireFunction. */
import type { CallSyntax, ReadCalls, ReadContext } from "../call-syntax.ts";
import { jsonBlocks, readJsonBlock } from "../json-blocks.ts";
import type { Family } from "./family.ts";

const close = "<|/tool_call|>";
const functools = "functools[";

/** The list behind `functools[`, whose bracket is part of it. It holds calls if an object comes first; the rest is text. */
function readFunctools(text: string, context: ReadContext): ReadCalls | undefined {
  if (/^\s*[^\s{]/.test(text)) return { length: 0, calls: [], text: functools };
  const read = readJsonBlock(`[${text}`, close, context);
  return (
    read && { ...read, length: read.length - 1, ...(read.text !== undefined && { text: `functools${read.text}` }) }
  );
}

/** Both forms are read; the grammar writes one of them. */
function phiCalls(start: string, end: string): CallSyntax {
  const lists = jsonBlocks({ open: ["<|tool_call|>", functools], close, written: { start, between: ", ", end } });
  return {
    ...lists,
    read: (text, context) => (context.opening === functools ? readFunctools(text, context) : lists.read(text, context)),
  };
}

export const phi: Family = {
  name: "phi",
  written: /<\|tool_call\|>/,
  taught: /<\|tool_call\|>|<\|tool\|>/,
  calls: phiCalls("<|tool_call|>[", `]${close}`),
};

export const fireFunction: Family = {
  name: "firefunction",
  written: /functools\[/,
  taught: /functools/,
  calls: phiCalls(` ${functools}`, "]"),
};

/** Families with one list of calls in JSON between texts of their own. */
import { jsonBlocks } from "../json-blocks.ts";
import type { Family } from "./family.ts";

/** Apriel 1.5 and 1.6, Hunyuan A13B, Jamba: `<tool_calls>[{"name": …, "arguments": …}]</tool_calls>`. */
export const toolCallsList: Family = {
  name: "tool-calls-list",
  written: /<tool_calls>\s*\[/,
  taught: /<tool_calls>/,
  calls: jsonBlocks({
    open: ["<tool_calls>"],
    close: "</tool_calls>",
    written: { start: "<tool_calls>[", between: ", ", end: "]</tool_calls>" },
  }),
};

/** MiniMax M1: the same tags around calls on lines of their own. */
export const miniMaxM1: Family = {
  name: "minimax-m1",
  written: /<tool_calls>\s*\{/,
  calls: jsonBlocks({
    open: ["<tool_calls>"],
    close: "</tool_calls>",
    written: { start: "<tool_calls>\n", between: "\n", end: "\n</tool_calls>" },
  }),
};

/** Nemotron Nano v2: `<TOOLCALL>[…]</TOOLCALL>`. */
export const nemotronNano: Family = {
  name: "nemotron-nano",
  written: /<TOOLCALL>/,
  taught: /<TOOLCALL>/,
  calls: jsonBlocks({
    open: ["<TOOLCALL>"],
    close: "</TOOLCALL>",
    written: { start: "<TOOLCALL>[", between: ", ", end: "]</TOOLCALL>" },
  }),
};

/** Command R7B, A and later. The members have names of their own, and each call a number. */
export const cohere: Family = {
  name: "cohere",
  written: /<\|START_ACTION\|>/,
  taught: /<\|START_ACTION\|>/,
  calls: jsonBlocks({
    open: ["<|START_ACTION|>"],
    close: "<|END_ACTION|>",
    written: { start: "<|START_ACTION|>[\n    ", between: ",\n    ", end: "\n]<|END_ACTION|>" },
    members: { id: "tool_call_id", name: "tool_name", arguments: "parameters" },
  }),
};

/** GigaChat 3, which makes one call in an answer; 3.1 has another opening. */
export const gigaChat: Family = {
  name: "gigachat",
  written: /function call<\|role_sep\|>/,
  calls: jsonBlocks({
    open: ["<|message_sep|>\n\nfunction call<|role_sep|>\n", "function call<|role_sep|>\n"],
    close: "",
    written: { start: "<|message_sep|>\n\nfunction call<|role_sep|>\n", between: "" },
    most: 1,
  }),
};
export const gigaChat31: Family = {
  name: "gigachat-3.1",
  written: /<\|function_call\|>/,
  calls: jsonBlocks({
    open: ["<|function_call|>"],
    close: "",
    written: { start: "<|function_call|>", between: "" },
    most: 1,
  }),
};

/** Apertus, whose calls are objects with the tool's name as their only member. */
export const apertus: Family = {
  name: "apertus",
  written: /<\|tools_prefix\|>\[\{"/,
  calls: jsonBlocks({
    open: ["<|tools_prefix|>"],
    close: "<|tools_suffix|>",
    written: { start: "<|tools_prefix|>[", between: ", ", end: "]<|tools_suffix|>" },
    members: { arguments: "" },
  }),
};

/** Command R and R+: a fenced list behind a word. */
export const commandR: Family = {
  name: "command-r",
  written: /Action:\s*`{3}json/,
  taught: /Action:/,
  calls: jsonBlocks({
    open: ["Action:\n```json\n", "Action: ```json\n"],
    close: "```",
    isCommonClose: true,
    written: { start: "Action:\n```json\n[\n    ", between: ",\n    ", end: "\n]```" },
    members: { name: "tool_name", arguments: "parameters" },
  }),
};

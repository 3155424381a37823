/** Hermes, Qwen 2.5 and 3, Granite 4, SmolLM3, MiMo, ERNIE 4.5 and others. */
import { orBareJson } from "../bare-json.ts";
import { jsonBlocks } from "../json-blocks.ts";
import type { Family } from "./family.ts";

/** `<tool_call>{"name": …, "arguments": …}</tool_call>`, a block for each call. */
export const hermes: Family = {
  name: "hermes",
  written: /<tool_call>\s*\{/,
  taught: /<tool_call>/,
  calls: orBareJson(
    jsonBlocks({
      open: ["<tool_call>"],
      close: "</tool_call>",
      written: { before: "<tool_call>\n", after: "\n</tool_call>", between: "\n" },
    }),
  ),
};

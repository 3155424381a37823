/** Families whose calls have an element for each argument. */
import { orBareJson } from "../bare-json.ts";
import { literal } from "../../../grammar/grammar-rules.ts";
import { elementCalls, exactly } from "../element-calls.ts";
import type { CallSyntax } from "../call-syntax.ts";
import type { Family } from "./family.ts";

const coderCalls = (open: string, close: string, padding: "\n" | ""): CallSyntax =>
  elementCalls({
    section: { open, close, isOfOneCall: true },
    call: { open: "<function=", behindName: exactly(">"), close: "</function>" },
    argument: { open: "<parameter=", behindName: exactly(">"), close: "</parameter>" },
    padding,
    gap: '"\\n"',
  });

/** Qwen3-Coder, Qwen 3.5, Nemotron 3, Step 3.5. */
export const qwenCoder: Family = {
  name: "qwen-coder",
  written: /<tool_call>\s*<function=/,
  taught: /<function=/,
  calls: orBareJson(coderCalls("<tool_call>", "</tool_call>", "\n")),
};

export const seedOss: Family = {
  name: "seed-oss",
  written: /<seed:tool_call>/,
  taught: /<seed:tool_call>/,
  calls: coderCalls("<seed:tool_call>", "</seed:tool_call>", ""),
};

export const miniMaxM2: Family = {
  name: "minimax-m2",
  written: /<minimax:tool_call>/,
  taught: /<minimax:tool_call>/,
  calls: elementCalls({
    section: { open: "<minimax:tool_call>", close: "</minimax:tool_call>" },
    call: { open: '<invoke name="', behindName: exactly('">'), close: "</invoke>" },
    argument: { open: '<parameter name="', behindName: exactly('">'), close: "</parameter>" },
    padding: "",
    gap: '"\\n"',
  }),
};

const dsml = "｜DSML｜";

/** DeepSeek V3.2 and V4, which say of each value whether it is a text. */
const deepSeekElements = (section: string): CallSyntax =>
  elementCalls({
    section: { open: `<${dsml}${section}>`, close: `</${dsml}${section}>` },
    call: { open: `<${dsml}invoke name="`, behindName: exactly('">'), close: `</${dsml}invoke>` },
    argument: {
      open: `<${dsml}parameter name="`,
      behindName: {
        pattern: '" string="(?:(?<text>true)|false)">',
        written: (isText) => literal(`" string="${String(isText)}">`),
      },
      close: `</${dsml}parameter>`,
    },
    padding: "",
    gap: '"\\n"{1,2}',
  });
export const deepSeekV32: Family = {
  name: "deepseek-v3.2",
  written: new RegExp(`<${dsml}function_calls>`),
  calls: deepSeekElements("function_calls"),
};
export const deepSeekV4: Family = {
  name: "deepseek-v4",
  written: new RegExp(`<${dsml}tool_calls>`),
  calls: deepSeekElements("tool_calls"),
};

/** MiniCPM 5, whose calls have nothing around them. */
export const miniCpm: Family = {
  name: "minicpm",
  written: /<function name="/,
  taught: /<function name="/,
  calls: elementCalls({
    call: { open: '<function name="', behindName: exactly('">'), close: "</function>" },
    argument: { open: '<param name="', behindName: exactly('">'), close: "</param>" },
    padding: "",
    gap: '""',
  }),
};

/** GLM 4.5 and later, Laguna. */
export const glm: Family = {
  name: "glm",
  written: /<tool_call>[^\s<{]+\s*<(?:arg_key|\/tool_call)>/,
  taught: /<arg_key>/,
  calls: orBareJson(
    elementCalls({
      call: {
        open: "<tool_call>",
        behindName: { pattern: "\\s*(?=<arg_key>|</tool_call>)|\\n", written: () => '""' },
        close: "</tool_call>",
      },
      argument: {
        open: "<arg_key>",
        behindName: { pattern: "(?:</arg_key>)?\\s*<arg_value>", written: () => '"</arg_key>" "\\n"? "<arg_value>"' },
        close: "</arg_value>",
      },
      padding: "",
      gap: '"\\n"?',
      mayBeUnclosed: true,
    }),
  ),
};

/** Hunyuan 3, whose tags all end in the same word. */
export const hunyuan3: Family = {
  name: "hunyuan-3",
  written: /<tool_calls:opensource>/,
  calls: elementCalls({
    section: { open: "<tool_calls:opensource>", close: "</tool_calls:opensource>" },
    call: {
      open: "<tool_call:opensource>",
      behindName: exactly("<tool_sep:opensource>"),
      close: "</tool_call:opensource>",
    },
    argument: {
      open: "<arg_key:opensource>",
      behindName: {
        pattern: "</arg_key:opensource>\\s*<arg_value:opensource>",
        written: () => literal("</arg_key:opensource>\n<arg_value:opensource>"),
      },
      close: "</arg_value:opensource>",
    },
    padding: "",
    gap: '"\\n"',
  }),
};

/** Kimi K3, which names the kind of each value. */
export const kimiK3: Family = {
  name: "kimi-k3",
  written: /<\|open\|>call tool="/,
  calls: elementCalls({
    section: { open: "<|open|>tools<|sep|>", close: "<|close|>tools<|sep|>" },
    call: {
      open: '<|open|>call tool="',
      behindName: {
        pattern: '"(?: index="\\d*")?<\\|sep\\|>',
        written: () => `${literal('" index="')} [1-9] ${literal('"<|sep|>')}`,
      },
      close: "<|close|>call<|sep|>",
    },
    argument: {
      open: '<|open|>argument key="',
      behindName: {
        pattern: '" type="(?:(?<text>string)|\\w+)"<\\|sep\\|>',
        written: (isText) => literal(`" type="${isText ? "string" : "object"}"<|sep|>`),
      },
      close: "<|close|>argument<|sep|>",
    },
    padding: "",
    gap: '""',
  }),
};

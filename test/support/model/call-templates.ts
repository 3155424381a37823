/** Small chat templates that write calls as the families do, and what the answer looks like. */

/** The texts around all calls, around one and between two, as parts of a template. */
interface Written {
  readonly call: string;
  readonly before?: string;
  readonly between?: string;
  readonly after?: string;
  /** The beginning of an answer. */
  readonly head?: string;
  /** The text between the content of an answer and its end. */
  readonly contentEnd?: string;
}

const text = (written: string) => `{{ ${JSON.stringify(written)} }}`;

const templateOf = ({ call, before = "", between = "", after = "", head = "", contentEnd = "" }: Written) =>
  "{%- if tools %}{{ 'Tools: ' + (tools | tojson) }}{% endif %}{%- for m in messages %}{{ '<|' + m.role + '|>' }}" +
  `{%- if m.role == 'assistant' %}${text(head)}{%- endif %}` +
  `{%- if m.tool_calls %}${text(before)}{%- for c in m.tool_calls %}{%- set f = c.function %}${call}` +
  `{%- if not loop.last %}${text(between)}{%- endif %}{%- endfor %}${text(after)}` +
  `{%- else %}{{ m.content }}{%- if m.role == 'assistant' %}${text(contentEnd)}{%- endif %}{%- endif %}{{ '<|end|>' }}{%- endfor %}` +
  `{%- if add_generation_prompt %}{{ '<|assistant|>' }}${text(head)}{%- endif %}`;

const args = "{{ f.arguments | tojson }}";
const json = (name = "name", member = "arguments") =>
  `{{ '{${JSON.stringify(name)}: "' + f.name + '", ${JSON.stringify(member)}: ' }}${args}{{ '}' }}`;
/** An element for each argument. */
const elements = (open: string, middle: string, close: string, value = "v") =>
  `{%- for k, v in f.arguments.items() %}${text(open)}{{ k }}${text(middle)}` +
  `{{ ${value} if ${value} is string else (${value} | tojson) }}${text(close)}{%- endfor %}`;

/** Each with the name of its family. */
export const callTemplates: Readonly<Record<string, readonly [family: string, template: string]>> = {
  "Kimi K2": [
    "kimi-k2",
    templateOf({
      before: "<|tool_calls_section_begin|>",
      call: `${text("<|tool_call_begin|>")}{{ 'functions.' + f.name + ':' + (loop.index0 | string) }}${text("<|tool_call_argument_begin|>")}${args}${text("<|tool_call_end|>")}`,
      after: "<|tool_calls_section_end|>",
    }),
  ],
  "Command R7B": [
    "cohere",
    templateOf({
      before: "<|START_ACTION|>[\n    ",
      call: `{{ '{"tool_call_id": "' + (loop.index0 | string) + '", "tool_name": "' + f.name + '", "parameters": ' }}${args}{{ '}' }}`,
      between: ",\n    ",
      after: "\n]<|END_ACTION|>",
      contentEnd: "<|END_RESPONSE|>",
    }) + "{#<|START_RESPONSE|>#}",
  ],
  "DeepSeek V3.2": [
    "deepseek-v3.2",
    templateOf({
      before: "<｜DSML｜function_calls>\n",
      call:
        `${text('<｜DSML｜invoke name="')}{{ f.name }}${text('">\n')}{%- for k, v in f.arguments.items() %}` +
        `${text('<｜DSML｜parameter name="')}{{ k }}{{ '" string="' + ('true' if v is string else 'false') + '">' }}` +
        `{{ v if v is string else (v | tojson) }}${text("</｜DSML｜parameter>\n")}{%- endfor %}${text("</｜DSML｜invoke>")}`,
      between: "\n",
      after: "\n</｜DSML｜function_calls>",
    }),
  ],
  "MiniMax M2": [
    "minimax-m2",
    templateOf({
      before: "<minimax:tool_call>\n",
      call: `${text('<invoke name="')}{{ f.name }}${text('">\n')}${elements('<parameter name="', '">', "</parameter>\n")}${text("</invoke>")}`,
      between: "\n",
      after: "\n</minimax:tool_call>",
    }),
  ],
  "MiniMax M3": [
    "minimax-m3",
    templateOf({
      before: "]<]minimax[>[<tool_call>\n",
      call:
        `${text(']<]minimax[>[<invoke name="')}{{ f.name }}${text('">')}{%- for k, v in f.arguments.items() %}` +
        `${text("]<]minimax[>[<")}{{ k }}${text(">")}{{ v if v is string else (v | tojson) }}${text("]<]minimax[>[</")}{{ k }}${text(">")}` +
        `{%- endfor %}${text("]<]minimax[>[</invoke>\n")}`,
      after: "]<]minimax[>[</tool_call>",
    }),
  ],
  "Seed-OSS": [
    "seed-oss",
    templateOf({
      call:
        `${text("<seed:tool_call>\n<function=")}{{ f.name }}${text(">\n")}{%- for k, v in f.arguments.items() %}` +
        `${text("<parameter=")}{{ k }}${text(">")}{{ v }}${text("</parameter>\n")}{%- endfor %}${text("</function>\n</seed:tool_call>")}`,
      between: "\n",
    }),
  ],
  "GigaChat 3": [
    "gigachat",
    templateOf({
      before: "<|message_sep|>\n\nfunction call<|role_sep|>\n",
      call: `{%- if loop.first %}${json()}{%- endif %}`,
    }),
  ],
  "GigaChat 3.1": [
    "gigachat-3.1",
    templateOf({ before: "<|function_call|>", call: `{%- if loop.first %}${json()}{%- endif %}` }),
  ],
  "Apriel 1.5": [
    "tool-calls-list",
    templateOf({ before: "<tool_calls>[", call: json(), between: ", ", after: "]</tool_calls>" }),
  ],
  "Hunyuan A13B": [
    "tool-calls-list",
    templateOf({
      before: "<tool_calls>[",
      call: json(),
      between: ", ",
      after: "]</tool_calls>",
      contentEnd: "</answer>",
    }),
  ],
  "Hunyuan 3": [
    "hunyuan-3",
    templateOf({
      before: "<tool_calls:opensource>\n",
      call:
        `${text("<tool_call:opensource>")}{{ f.name }}${text("<tool_sep:opensource>\n")}` +
        `${elements("<arg_key:opensource>", "</arg_key:opensource>\n<arg_value:opensource>", "</arg_value:opensource>\n")}${text("</tool_call:opensource>")}`,
      between: "\n",
      after: "\n</tool_calls:opensource>",
    }),
  ],
  "xLAM 2": ["bare-list", templateOf({ before: "[", call: json(), between: ", ", after: "]" })],
  "calls as bare objects": ["bare-object", templateOf({ call: json(), between: "\n" })],
  "Functionary 3.1": [
    "functionary-3.1",
    templateOf({ call: `${text("<function=")}{{ f.name }}${text(">")}${args}${text("</function>")}` }),
  ],
  "Functionary 3.2": [
    "functionary-3.2",
    templateOf({ head: ">>>", call: `{{ f.name }}${text("\n")}${args}`, between: ">>>" }),
  ],
  "ERNIE 4.5": [
    "hermes",
    templateOf({
      call: `${text("<tool_call>\n")}${json()}${text("\n</tool_call>")}`,
      between: "\n",
      contentEnd: "</response>",
    }),
  ],
  "LFM 2": [
    "lfm2",
    templateOf({
      before: "<|tool_call_start|>[",
      call:
        `{{ f.name + '(' }}{%- for k, v in f.arguments.items() %}{{ k + '=' }}{{ v | tojson }}` +
        "{%- if not loop.last %}{{ ', ' }}{%- endif %}{%- endfor %}{{ ')' }}",
      between: ", ",
      after: "]<|tool_call_end|>",
    }),
  ],
  "Olmo 3": [
    "olmo-3",
    templateOf({
      before: "<function_calls>",
      call:
        `{{ f.name + '(' }}{%- for k, v in f.arguments.items() %}{{ k + '=' }}{{ v | tojson }}` +
        "{%- if not loop.last %}{{ ', ' }}{%- endif %}{%- endfor %}{{ ')' }}",
      between: "\n",
      after: "</function_calls>",
    }),
  ],
  "Nemotron Nano 2": [
    "nemotron-nano",
    templateOf({ before: "<TOOLCALL>[", call: json(), between: ", ", after: "]</TOOLCALL>" }),
  ],
  "MiniMax M1": [
    "minimax-m1",
    templateOf({ before: "<tool_calls>\n", call: json(), between: "\n", after: "\n</tool_calls>" }),
  ],
  Apertus: [
    "apertus",
    templateOf({
      before: "<|tools_prefix|>[",
      call: `{{ '{"' + f.name + '": ' }}${args}{{ '}' }}`,
      between: ", ",
      after: "]<|tools_suffix|>",
    }),
  ],
  "Command R+": [
    "command-r",
    templateOf({
      before: "Action:\n```json\n[\n    ",
      call: json("tool_name", "parameters"),
      between: ",\n    ",
      after: "\n]```",
    }),
  ],
  "MiniCPM 5": [
    "minicpm",
    templateOf({
      call: `${text('<function name="')}{{ f.name }}${text('">')}${elements('<param name="', '">', "</param>")}${text("</function>")}`,
    }),
  ],
  "Kimi K3": [
    "kimi-k3",
    templateOf({
      before: "<|open|>tools<|sep|>",
      call:
        `${text('<|open|>call tool="')}{{ f.name }}{{ '" index="' + (loop.index | string) + '"<|sep|>' }}` +
        `{%- for k, v in f.arguments.items() %}${text('<|open|>argument key="')}{{ k }}` +
        `{{ '" type="' + ('string' if v is string else 'object') + '"<|sep|>' }}{{ v if v is string else (v | tojson) }}` +
        `${text("<|close|>argument<|sep|>")}{%- endfor %}${text("<|close|>call<|sep|>")}`,
      after: "<|close|>tools<|sep|>",
    }),
  ],
  "Muse Glimmer": [
    "glimmer",
    templateOf({
      call:
        `{{ ' to=' + f.name }}${text('<|message|><atem:function_calls>\n<atem:invoke name="')}{{ f.name }}${text('">\n')}` +
        `${elements('<atem:parameter name="', '">', "</atem:parameter>\n")}${text("</atem:invoke>\n</atem:function_calls>")}`,
      between: "<|eom|><|start|>assistant",
    }),
  ],
  "FireFunction 2": [
    "firefunction",
    "{{ 'Functions: ' + functions + ', today is ' + datetime }}" +
      templateOf({ before: " functools[", call: json(), between: ", ", after: "]" }),
  ],
  "Nemotron Mini": [
    "learned",
    templateOf({ call: `${text("<toolcall> ")}${json()}${text(" </toolcall>")}`, between: " " }),
  ],
  "InternLM 2": [
    "learned",
    templateOf({ call: `${text("<|action_start|><|plugin|>\n")}${json()}${text("<|action_end|>")}`, between: "\n" }),
  ],
  "a list behind a tag without an end": [
    "learned",
    templateOf({ before: "[CALLS] [", call: json("name", "parameters"), between: ", ", after: "]" }),
  ],
};

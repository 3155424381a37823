/** Prompt forms of families, for files that name one as their renderer and have no template. */

const system = "{%- set system = messages[0].content if messages and messages[0].role == 'system' else '' %}";

/** Several results in a row share a message of the user. `assistant` is the part for an answer. */
const chatMl = (assistant: string, opening = "") =>
  "{%- for message in messages %}" +
  "{%- if message.role == 'assistant' %}{{ '<|im_start|>assistant\\n' }}" +
  `${assistant}{{ '<|im_end|>\\n' }}` +
  "{%- elif message.role == 'tool' %}" +
  "{%- if loop.first or messages[loop.index0 - 1].role != 'tool' %}{{ '<|im_start|>user' }}{%- endif %}" +
  "{{ '\\n<tool_response>\\n' + message.content + '\\n</tool_response>' }}" +
  "{%- if loop.last or messages[loop.index0 + 1].role != 'tool' %}{{ '<|im_end|>\\n' }}{%- endif %}" +
  "{%- elif message.role != 'system' or not loop.first %}" +
  "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}{%- endif %}" +
  `{%- endfor %}{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n${opening}' }}{%- endif %}`;

/** Calls as JSON, as Qwen 3 was taught. */
const hermesForm = (opening: string) =>
  `${system}{%- if tools %}{{ '<|im_start|>system\\n' }}{%- if system %}{{ system + '\\n\\n' }}{%- endif %}` +
  "{{ '# Tools\\n\\nYou may call one or more functions to assist with the user query.\\n\\n" +
  "You are provided with function signatures within <tools></tools> XML tags:\\n<tools>' }}" +
  "{%- for tool in tools %}{{ '\\n' }}{{ tool | tojson }}{%- endfor %}" +
  "{{ '\\n</tools>\\n\\nFor each function call, return a json object with function name and arguments within " +
  '<tool_call></tool_call> XML tags:\\n<tool_call>\\n{"name": <function-name>, "arguments": <args-json-object>}\\n' +
  "</tool_call><|im_end|>\\n' }}" +
  "{%- elif system %}{{ '<|im_start|>system\\n' + system + '<|im_end|>\\n' }}{%- endif %}" +
  chatMl(
    "{{ message.content or '' }}{%- for call in message.tool_calls %}" +
      "{%- if not loop.first or message.content %}{{ '\\n' }}{%- endif %}" +
      `{{ '<tool_call>\\n{"name": "' + call.function.name + '", "arguments": ' }}{{ call.function.arguments | tojson }}` +
      "{{ '}\\n</tool_call>' }}{%- endfor %}",
    opening,
  );

/** Calls as tags, as Qwen3-Coder was taught. */
const coderForm =
  `${system}{%- if tools and not system %}` +
  "{%- set system = 'You are Qwen, a helpful AI assistant that can interact with a computer to solve tasks.' %}{%- endif %}" +
  "{%- if system %}{{ '<|im_start|>system\\n' + system }}{%- if tools %}" +
  "{{ '\\n\\n# Tools\\n\\nYou have access to the following functions:\\n\\n<tools>' }}{%- for tool in tools %}" +
  "{{ '\\n<function>\\n<name>' + tool.function.name + '</name>' }}" +
  "{%- if tool.function.description %}{{ '\\n<description>' + tool.function.description + '</description>' }}{%- endif %}" +
  "{{ '\\n<parameters>' }}{%- for name, field in (tool.function.parameters['properties'] or {}) | items %}" +
  "{{ '\\n<parameter>\\n<name>' + name + '</name>' }}" +
  "{%- for key, value in field | items %}{%- if key in ['type', 'description'] %}" +
  "{{ '\\n<' + key + '>' }}{{ value if value is string else value | tojson }}{{ '</' + key + '>' }}{%- endif %}{%- endfor %}" +
  "{%- for key, value in field | items %}{%- if key not in ['type', 'description'] %}" +
  "{{ '\\n<' + key + '>' }}{{ value if value is string else value | tojson }}{{ '</' + key + '>' }}{%- endif %}{%- endfor %}" +
  "{{ '\\n</parameter>' }}{%- endfor %}" +
  "{%- for key, value in tool.function.parameters | items %}{%- if key not in ['type', 'properties'] %}" +
  "{{ '\\n<' + key + '>' }}{{ value if value is string else value | tojson }}{{ '</' + key + '>' }}{%- endif %}{%- endfor %}" +
  "{{ '\\n</parameters>\\n</function>' }}{%- endfor %}" +
  "{{ '\\n</tools>\\n\\nIf you choose to call a function ONLY reply in the following format with NO suffix:\\n\\n" +
  "<tool_call>\\n<function=example_function_name>\\n<parameter=example_parameter_1>\\nvalue_1\\n</parameter>\\n" +
  "<parameter=example_parameter_2>\\nThis is the value for the second parameter\\nthat can span\\nmultiple lines\\n" +
  "</parameter>\\n</function>\\n</tool_call>\\n\\n<IMPORTANT>\\nReminder:\\n- Function calls MUST follow the specified " +
  "format: an inner <function=...></function> block must be nested within <tool_call></tool_call> XML tags\\n" +
  "- Required parameters MUST be specified\\n- You may provide optional reasoning for your function call in natural " +
  "language BEFORE the function call, but NOT after\\n- If there is no function call available, answer the question " +
  "like normal with your current knowledge and do not tell the user about function calls\\n</IMPORTANT>' }}{%- endif %}" +
  "{{ '<|im_end|>\\n' }}{%- endif %}" +
  chatMl(
    "{{ message.content or '' }}{%- if message.tool_calls and message.content %}{{ '\\n' }}{%- endif %}" +
      "{%- for call in message.tool_calls %}{{ '\\n<tool_call>\\n<function=' + call.function.name + '>' }}" +
      "{%- for name, value in call.function.arguments | items %}{{ '\\n<parameter=' + name + '>\\n' }}" +
      "{{ value if value is string else value | tojson }}{{ '\\n</parameter>' }}{%- endfor %}" +
      "{{ '\\n</function>\\n</tool_call>' }}{%- endfor %}",
  );

/** Templates by the names of renderers. */
export const rendererTemplates: ReadonlyMap<string, string> = new Map([
  ["qwen3-vl-instruct", hermesForm("")],
  ["qwen3-vl-thinking", hermesForm("<think>\\n")],
  ["qwen3-coder", coderForm],
]);

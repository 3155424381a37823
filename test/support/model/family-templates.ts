/** Chat templates of the common families, shortened to what decides: roles, tools, earlier calls, thoughts, the last line. */

const hermesTools =
  "{%- if tools %}<|im_start|>system\n# Tools\n<tools>\n{%- for tool in tools %}{{ tool | tojson }}\n{%- endfor %}</tools>\n" +
  'Answer with <tool_call>{"name": ..., "arguments": ...}</tool_call>.<|im_end|>\n{%- endif %}';
const hermesCalls =
  "{%- if m.tool_calls %}{%- for c in m.tool_calls %}<tool_call>\n" +
  '{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}\n</tool_call>{%- endfor %}{%- endif %}';
const chatMl = (calls: string, ending: string) =>
  "{%- for m in messages %}{{ '<|im_start|>' + m.role + '\\n' + m.content }}" +
  `${calls}{{ '<|im_end|>\\n' }}{%- endfor %}{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}${ending}{%- endif %}`;

export const familyTemplates = {
  qwen25: hermesTools + chatMl(hermesCalls, ""),
  qwen3:
    hermesTools +
    chatMl(
      "{%- set past = m.content.split('</think>') %}" + hermesCalls,
      "{%- if enable_thinking is defined and enable_thinking is false %}{{ '<think>\\n\\n</think>\\n\\n' }}{%- endif %}",
    ),
  qwenCoder:
    "{%- if tools %}{%- for tool in tools %}<function><name>{{ tool.function.name }}</name></function>{%- endfor %}" +
    "<tool_call>\n<function=name>\n<parameter=key>\nvalue\n</parameter>\n</function>\n</tool_call>{%- endif %}" +
    chatMl(
      "{%- for c in m.tool_calls or [] %}<tool_call>\n<function={{ c.function.name }}>\n" +
        "{%- for key, value in c.function.arguments | items %}<parameter={{ key }}>\n{{ value }}\n</parameter>{%- endfor %}" +
        "</function>\n</tool_call>{%- endfor %}",
      "",
    ),
  llama3:
    "{{ bos_token }}{%- if messages[0].role == 'system' %}{%- set system = messages[0].content %}{%- set messages = messages[1:] %}" +
    "{%- else %}{%- set system = '' %}{%- endif %}<|start_header_id|>system<|end_header_id|>\n\n" +
    "{%- if tools is not none and tools is defined %}Environment: ipython\n" +
    'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.' +
    "{%- for t in tools %}{{ t | tojson }}{%- endfor %}{%- endif %}{{ system }}<|eot_id|>" +
    "{%- for m in messages %}{%- if 'tool_calls' in m %}{%- if not m.tool_calls | length == 1 %}" +
    "{{ raise_exception('This model only supports single tool-calls at once!') }}{%- endif %}" +
    "{%- set c = m.tool_calls[0].function %}<|start_header_id|>assistant<|end_header_id|>\n\n" +
    "{{ '{\"name\": \"' + c.name + '\", \"parameters\": ' }}{{ c.arguments | tojson }}{{ '}' }}<|eot_id|>" +
    "{%- elif m.role == 'tool' %}<|start_header_id|>ipython<|end_header_id|>\n\n{{ m.content | tojson }}<|eot_id|>" +
    "{%- else %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n{{ m.content }}<|eot_id|>{%- endif %}{%- endfor %}" +
    "{%- if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{%- endif %}",
  mistral:
    "{{ bos_token }}{%- if messages[0].role == 'system' %}{%- set system = messages[0].content %}{%- set rest = messages[1:] %}" +
    "{%- else %}{%- set rest = messages %}{%- endif %}" +
    "{%- set users = rest | selectattr('role', 'equalto', 'user') | list %}" +
    "{%- for m in rest %}{%- if m.role == 'user' %}" +
    "{%- if loop.index0 % 2 == 1 and not tools %}{{ raise_exception('roles must alternate') }}{%- endif %}" +
    "{%- if tools is defined and m == users[-1] %}[AVAILABLE_TOOLS] {{ tools | tojson }}[/AVAILABLE_TOOLS]{%- endif %}" +
    "[INST] {% if loop.last and system is defined %}{{ system + '\\n\\n' }}{% endif %}{{ m.content }}[/INST]" +
    "{%- elif m.tool_calls %}[TOOL_CALLS] [{%- for c in m.tool_calls %}{{ (c.function | tojson)[:-1] }}" +
    "{%- if c.id | length != 9 %}{{ raise_exception('Tool call IDs should be alphanumeric strings with length 9!') }}{%- endif %}" +
    '{{ ", \\"id\\": \\"" + c.id + "\\"}" }}{%- if not loop.last %}, {% endif %}{%- endfor %}]{{ eos_token }}' +
    '{%- elif m.role == \'tool\' %}[TOOL_RESULTS] {"content": {{ m.content }}, "call_id": "{{ m.tool_call_id }}"}[/TOOL_RESULTS]' +
    "{%- else %} {{ m.content }}{{ eos_token }}{%- endif %}{%- endfor %}",
  magistral:
    "{{ bos_token }}{%- if tools %}[AVAILABLE_TOOLS]{{ tools | tojson }}[/AVAILABLE_TOOLS]{%- endif %}" +
    "{%- set ns = namespace(turn=0) %}{%- for m in messages %}{%- if m.role == 'user' or m.role == 'assistant' and not m.tool_calls %}" +
    "{%- if (m.role == 'user') != (ns.turn % 2 == 0) %}{{ raise_exception('conversation roles must alternate') }}{%- endif %}" +
    "{%- if not m.content %}{{ raise_exception('Assistant message must have a string') }}{%- endif %}{%- set ns.turn = ns.turn + 1 %}{%- endif %}" +
    "{%- if m.role == 'user' %}[INST]{{ m.content }}[/INST]{%- elif m.role == 'system' %}" +
    "[SYSTEM_PROMPT]{{ m.content }} Think in [THINK]...[/THINK][/SYSTEM_PROMPT]{%- elif m.role == 'tool' %}[TOOL_RESULTS]{{ m.content }}[/TOOL_RESULTS]" +
    "{%- else %}{{ m.content }}{%- for c in m.tool_calls or [] %}[TOOL_CALLS]{{ c.function.name }}[ARGS]{{ c.function.arguments | tojson }}{%- endfor %}{{ eos_token }}{%- endif %}{%- endfor %}",
  gemma2:
    "{{ bos_token }}{%- if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{%- endif %}" +
    "{%- for m in messages %}{%- if (m.role == 'user') != (loop.index0 % 2 == 0) %}" +
    "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{%- endif %}" +
    "<start_of_turn>{{ 'model' if m.role == 'assistant' else m.role }}\n{{ m.content | trim }}<end_of_turn>\n{% endfor %}" +
    "{%- if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{%- endif %}",
  functionGemma:
    "{%- if tools %}<start_of_turn>developer\n{%- for t in tools %}<start_function_declaration>{{ t.function.name }}" +
    "<end_function_declaration>{%- endfor %}<end_of_turn>\n{%- endif %}{%- for m in messages %}<start_of_turn>{{ m.role }}\n{{ m.content }}" +
    "{%- for c in m.tool_calls or [] %}<start_function_call>call:{{ c.function.name + '{' }}" +
    "{%- for k, v in c.function.arguments | items %}{{ k }}:<escape>{{ v }}<escape>{%- if not loop.last %},{% endif %}{%- endfor %}{{ '}' }}<end_function_call>{%- endfor %}" +
    "<end_of_turn>\n{%- endfor %}{%- if add_generation_prompt %}<start_of_turn>model\n{%- endif %}",
  phi4Mini:
    "{%- for m in messages %}{%- if m['role'] == 'system' and 'tools' in m and m['tools'] is not none %}" +
    "<|{{ m['role'] }}|>{{ m['content'] }}<|tool|>{{ m['tools'] }}<|/tool|><|end|>{%- else %}" +
    "<|{{ m['role'] }}|>{{ m['content'] }}<|end|>{%- endif %}{%- endfor %}" +
    "{%- if add_generation_prompt %}<|assistant|>{%- endif %}",
  deepSeekR1:
    "{%- if not add_generation_prompt is defined %}{%- set add_generation_prompt = false %}{%- endif %}{{ bos_token }}" +
    "{%- set ns = namespace(system='') %}{%- for m in messages %}{%- if m['role'] == 'system' %}{%- set ns.system = m['content'] %}{%- endif %}{%- endfor %}{{ ns.system }}" +
    "{%- for m in messages %}{%- if m['role'] == 'user' %}<｜User｜>{{ m['content'] }}{%- endif %}" +
    "{%- if m['role'] == 'assistant' and m['content'] is none %}<｜Assistant｜><｜tool▁calls▁begin｜>" +
    "{%- for c in m['tool_calls'] %}{{ '<｜tool▁call▁begin｜>' + c['type'] + '<｜tool▁sep｜>' + c['function']['name'] + '\\n' + '```json' + '\\n' + c['function']['arguments'] + '\\n' + '```' + '<｜tool▁call▁end｜>' }}{%- endfor %}" +
    "<｜tool▁calls▁end｜><｜end▁of▁sentence｜>{%- endif %}" +
    "{%- if m['role'] == 'tool' %}<｜tool▁outputs▁begin｜><｜tool▁output▁begin｜>{{ m['content'] }}<｜tool▁output▁end｜><｜tool▁outputs▁end｜>{%- endif %}" +
    "{%- if m['role'] == 'assistant' and m['content'] is not none %}{%- set content = m['content'] %}" +
    "{%- if '</think>' in content %}{%- set content = content.split('</think>')[-1] %}{%- endif %}<｜Assistant｜>{{ content }}<｜end▁of▁sentence｜>{%- endif %}{%- endfor %}" +
    "{%- if add_generation_prompt %}{{ '<｜Assistant｜><think>\\n' }}{%- endif %}",
  deepSeekV31:
    "{%- if not thinking is defined %}{%- set thinking = false %}{%- endif %}{{ bos_token }}" +
    "{%- for m in messages %}{%- if m['role'] == 'user' %}<｜User｜>{{ m['content'] }}{%- elif m['tool_calls'] is defined and m['tool_calls'] is not none %}" +
    "<｜Assistant｜></think>{{ m['content'] }}<｜tool▁calls▁begin｜>{%- for c in m['tool_calls'] %}" +
    "{{ '<｜tool▁call▁begin｜>' + c['function']['name'] + '<｜tool▁sep｜>' + c['function']['arguments'] + '<｜tool▁call▁end｜>' }}{%- endfor %}<｜tool▁calls▁end｜>" +
    "{%- else %}{{ m['content'] }}{%- endif %}{%- endfor %}" +
    "{%- if add_generation_prompt %}<｜Assistant｜>{{ '<think>' if thinking else '</think>' }}{%- endif %}",
  gptOss:
    "<|start|>system<|message|>Reasoning: {{ reasoning_effort or 'medium' }}<|end|>" +
    "{%- if tools %}<|start|>developer<|message|>{%- for t in tools %}type {{ t.function.name }} = {{ t.function.parameters | tojson }};{%- endfor %}<|end|>{%- endif %}" +
    "{%- for m in messages %}{%- if m.role == 'system' %}{%- if loop.first %}<|start|>developer<|message|>{{ m.content }}<|end|>{%- endif %}" +
    "{%- elif m.role == 'assistant' and m.tool_calls %}{%- if m.content and m.thinking %}{{ raise_exception('Cannot pass both content and thinking') }}{%- endif %}" +
    "{%- if m.thinking %}<|start|>assistant<|channel|>analysis<|message|>{{ m.thinking }}<|end|>{%- endif %}<|start|>assistant to=functions.{{ m.tool_calls[0].function.name }}" +
    "<|channel|>commentary json<|message|>{{ m.tool_calls[0].function.arguments | tojson }}<|call|>" +
    "{%- elif m.role == 'tool' %}<|start|>functions.{{ m.name }} to=assistant<|channel|>commentary<|message|>{{ m.content | tojson }}<|end|>" +
    "{%- elif m.role == 'assistant' %}<|start|>assistant<|channel|>final<|message|>{{ m.content }}<|end|>" +
    "{%- else %}<|start|>{{ m.role }}<|message|>{{ m.content }}<|end|>{%- endif %}{%- endfor %}" +
    "{%- if add_generation_prompt %}<|start|>assistant{%- endif %}",
  glm45:
    "[gMASK]<sop>{%- if tools %}<|system|>\n# Tools\n<tools>{%- for tool in tools %}\n{{ tool | tojson(ensure_ascii=False) }}{%- endfor %}\n</tools>\n" +
    "<tool_call>{function-name}\n<arg_key>{arg-key-1}</arg_key>\n<arg_value>{arg-value-1}</arg_value>\n...\n</tool_call>{%- endif %}" +
    "{%- for m in messages %}{%- if m.role == 'user' %}<|user|>\n{{ m.content }}" +
    "{{- '/nothink' if (enable_thinking is defined and not enable_thinking and not m.content.endswith('/nothink')) else '' }}" +
    "{%- elif m.role == 'assistant' %}<|assistant|>{{ '\\n<think></think>' }}{%- if m.content.strip() %}{{ '\\n' + m.content.strip() }}{%- endif %}" +
    "{%- for c in m.tool_calls or [] %}{{ '\\n<tool_call>' + c.function.name }}{%- set _args = c.function.arguments or {} %}" +
    "{%- for k, v in _args.items() %}\n<arg_key>{{ k }}</arg_key>\n<arg_value>{{ v | tojson(ensure_ascii=False) if v is not string else v }}</arg_value>{%- endfor %}\n</tool_call>{%- endfor %}" +
    "{%- elif m.role == 'tool' %}<|observation|>\n<tool_response>\n{{ m.content }}\n</tool_response>{%- else %}<|system|>\n{{ m.content }}{%- endif %}{%- endfor %}" +
    "{%- if add_generation_prompt %}<|assistant|>{{- '\\n<think></think>' if (enable_thinking is defined and not enable_thinking) else '' }}{%- endif %}",
  llama4:
    "{{ bos_token }}{%- if tools is defined and tools %}<|header_start|>system<|header_end|>\n\n" +
    'Respond in the format {"name": function name, "parameters": dictionary of argument name and its value}.' +
    "{%- for t in tools %}{{ t | tojson }}{%- endfor %}<|eot|>{%- endif %}" +
    "{%- for m in messages %}<|header_start|>{{ 'ipython' if m.role == 'tool' else m.role }}<|header_end|>\n\n" +
    "{%- if m.tool_calls %}{{ '<|python_start|>' + m.content + '<|python_end|>' }}{%- for c in m.tool_calls %}" +
    "{{ '{\"name\": \"' + c.function.name + '\", \"parameters\": ' }}{{ c.function.arguments | tojson }}{{ '}' }}{%- endfor %}" +
    "{%- else %}{{ m.content }}{%- endif %}<|eot|>{%- endfor %}" +
    "{%- if add_generation_prompt %}<|header_start|>assistant<|header_end|>\n\n{%- endif %}",
  llama4Pythonic:
    "{{ bos_token }}{%- if tools is defined and tools %}<|header_start|>system<|header_end|>\n\nUse exact format: " +
    "[func_name1(param1=value1, param2=value2), func_name2(...)]\n{{ tools | tojson }}<|eot|>{%- endif %}" +
    "{%- for m in messages %}{%- if m.role == 'tool' %}<|header_start|>ipython<|header_end|>\n\n{{ m.content | tojson }}<|eot|>" +
    "{%- else %}<|header_start|>{{ m.role }}<|header_end|>\n\n{{ m.content }}" +
    "{%- if m.tool_calls %}[{%- for c in m.tool_calls %}{{ c.function.name + '(' }}{%- for k in c.function.arguments %}" +
    "{{ k + '=\"' }}{{ c.function.arguments[k] }}{{ '\"' }}{%- if not loop.last %}, {% endif %}{%- endfor %}){%- if not loop.last %}, {% endif %}{%- endfor %}]{%- endif %}" +
    "<|eot|>{%- endif %}{%- endfor %}{%- if add_generation_prompt %}<|header_start|>assistant<|header_end|>\n\n{%- endif %}",
} as const;
export type Family = keyof typeof familyTemplates;

/** The tool that the tests call. */
export const weatherTool = {
  name: "get_weather",
  description: "Weather of a city",
  parameters: {
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  },
};

import type { Family } from "./family-templates.ts";

/** What an answer means. */
export interface Outcome {
  readonly thinking?: string;
  readonly content?: string;
  /** Name and arguments of each call, in order. */
  readonly calls?: readonly (readonly [name: string, given: unknown])[];
}

const oslo = ["get_weather", { city: "Oslo" }] as const;
const paris = ["get_weather", { city: "Paris", days: 2 }] as const;

/** Answers as the families' models write them: family, what it is, the text, what it means, the end of the prompt. */
export const recordedAnswers: readonly (readonly [
  Family,
  what: string,
  text: string,
  means: Outcome,
  prompt?: string,
])[] = [
  ["qwen25", "text", "Hello there.", { content: "Hello there." }],
  [
    "qwen25",
    "a call behind text",
    'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    { content: "Let me look.", calls: [oslo] },
  ],
  [
    "qwen25",
    "two calls",
    '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}\n</tool_call>',
    { calls: [oslo, paris] },
  ],
  [
    "qwen25",
    "a closing tag inside an argument",
    '<tool_call>{"name": "get_weather", "arguments": {"city": "</tool_call> \\"}{"}}</tool_call> done',
    { calls: [["get_weather", { city: '</tool_call> "}{' }]], content: "done" },
  ],
  [
    "qwen25",
    "what is no call between the tags",
    "<tool_call>I cannot do that</tool_call> Sorry.",
    { content: "I cannot do that Sorry." },
  ],
  ["qwen25", "a call that is cut off", 'So: <tool_call>\n{"name": "get_wea', { content: 'So:{"name": "get_wea' }],
  ["qwen25", "text that looks like a tag at first", "a <b> <tool_cal and <", { content: "a <b> <tool_cal and <" }],
  ["qwen3", "thoughts", "<think>\nHm, 2 < 3.\n</think>\n\nYes.", { thinking: "Hm, 2 < 3.", content: "Yes." }],
  ["qwen3", "no thoughts", "Yes, </ is text.", { content: "Yes, </ is text." }],
  ["qwen3", "empty thoughts", "<think>\n\n</think>\n\nYes.", { content: "Yes." }],
  ["qwen3", "thoughts without end", "<think>On and on </thi", { thinking: "On and on </thi" }],
  ["qwen3", "thoughts opened by the prompt", "Hm.</think>Yes.", { thinking: "Hm.", content: "Yes." }, "<think>\n"],
  ["qwen3", "a tag opened twice", "<think>Hm.</think>Yes.", { thinking: "Hm.", content: "Yes." }, "<think>\n"],
  ["qwen3", "a tag in the text", "Write <think> for that.", { content: "Write <think> for that." }],
  [
    "qwen3",
    "thoughts and a call",
    '<think>Look.</think>\n\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>',
    { thinking: "Look.", calls: [oslo] },
  ],
  [
    "qwenCoder",
    "calls as XML",
    "<tool_call>\n<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call>",
    { calls: [paris] },
  ],
  [
    "qwenCoder",
    "markup inside a value",
    "<tool_call>\n<function=get_weather>\n<parameter=city>\n<tool_call>{}</tool_call> </function> b\n</parameter>\n<parameter=days>\n2\n</parameter>\n</function>\n</tool_call> done",
    { calls: [["get_weather", { city: "<tool_call>{}</tool_call> </function> b", days: 2 }]], content: "done" },
  ],
  [
    "qwenCoder",
    "a parameter that is not closed, and so left out",
    "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n<parameter=days>\n2\n</function>\n</tool_call>\n<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
    { calls: [oslo, oslo] },
  ],
  ["llama3", "text", "It is {sunny}.", { content: "It is {sunny}." }],
  ["llama3", "a bare call", '{"name": "get_weather", "parameters": {"city": "Oslo"}}', { calls: [oslo] }],
  [
    "llama3",
    "two bare calls",
    '{"name": "get_weather", "parameters": {"city": "Oslo"}}; {"name": "get_weather", "parameters": {"city": "Paris", "days": 2}}',
    { calls: [oslo, paris] },
  ],
  [
    "llama3",
    "a call behind the python tag",
    '<|python_tag|>{"type": "function", "name": "get_weather", "parameters": {"city": "Oslo"}}<|eom_id|>',
    { calls: [oslo] },
  ],
  ["llama3", "JSON that is the answer", '{"name": "Ada", "age": 36}', { content: '{"name": "Ada", "age": 36}' }],
  [
    "llama3",
    "JSON of another kind",
    '{"city": {"name": "Oslo"}} is it',
    { content: '{"city": {"name": "Oslo"}} is it' },
  ],
  [
    "mistral",
    "a list of calls",
    '[TOOL_CALLS] [{"name": "get_weather", "arguments": {"city": "Oslo"}, "id": "abcdefghi"}, {"name": "get_weather", "arguments": {"city": "Paris", "days": 2}}]',
    { calls: [oslo, paris] },
  ],
  ["mistral", "brackets", "See [1] and [TOOL", { content: "See [1] and [TOOL" }],
  [
    "magistral",
    "thoughts and named calls",
    '[THINK]Hm.[/THINK][TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}[TOOL_CALLS]get_weather[ARGS]{"city": "Paris", "days": 2}',
    { thinking: "Hm.", calls: [oslo, paris] },
  ],
  ["gemma2", "text", "Hello <b>you</b>", { content: "Hello <b>you</b>" }],
  [
    "functionGemma",
    "a call",
    "<start_function_call>call:get_weather{city:<escape>Paris<escape>,days:2}<end_function_call>",
    { calls: [paris] },
  ],
  [
    "functionGemma",
    "a value in JSON, with what looks like a key in a text",
    'call: <start_function_call>call:get_weather{city:<escape>{Paris,a:<escape>,days:2,at:{"a": "b, c: \\"d", e:[{f:1}]}}<end_function_call>',
    {
      content: "call:",
      calls: [["get_weather", { city: "{Paris,a:", days: 2, at: { a: 'b, c: "d', e: [{ f: 1 }] } }]],
    },
  ],
  [
    "functionGemma",
    "what is no call between the tags",
    "<start_function_call>call: I cannot {do} that<end_function_call>",
    { content: "call: I cannot {do} that" },
  ],
  [
    "glm45",
    "what is no call between the tags",
    "<tool_call>I cannot do that</tool_call>",
    { content: "I cannot do that" },
  ],
  ["magistral", "what is no call", '[TOOL_CALLS] I say: {"a": 1}', { content: 'I say: {"a": 1}' }],
  [
    "phi4Mini",
    "a list of calls",
    '<|tool_call|>[{"name": "get_weather", "arguments": {"city": "Oslo"}}]<|/tool_call|>',
    { calls: [oslo] },
  ],
  [
    "phi4Mini",
    "a list without closing",
    'functools[{"name": "get_weather", "arguments": {"city": "Oslo"}}]',
    { calls: [oslo] },
  ],
  [
    "phi4Mini",
    "the word of its calls, in a text and in a call",
    'Use functools: from functools import cache; functools [0], functools[0], functools[{"a": 1}] func\nfunctools[ {"name": "get_weather", "arguments": {"city": "functools[{"}}] ',
    {
      content: 'Use functools: from functools import cache; functools [0], functools[0], functools[{"a": 1}] func',
      calls: [["get_weather", { city: "functools[{" }]],
    },
  ],
  [
    "deepSeekR1",
    "thoughts and fenced calls",
    'Let me see.\n</think>\n\nOne moment.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Paris", "days": 2}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { thinking: "Let me see.", content: "One moment.", calls: [oslo, paris] },
    "<｜Assistant｜><think>\n",
  ],
  [
    "deepSeekV31",
    "named calls",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    { calls: [oslo] },
    "<｜Assistant｜></think>",
  ],
  [
    "deepSeekR1",
    "a fence inside an argument, and no end of the list",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "```\\n<｜tool▁call▁end｜>"}\n```<｜tool▁call▁end｜>',
    { calls: [["get_weather", { city: "```\n<｜tool▁call▁end｜>" }]] },
  ],
  [
    "deepSeekR1",
    "a call that is cut off",
    "So.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_wea",
    { content: "So.function get_wea" },
  ],
  [
    "glm45",
    "thoughts and two calls",
    "\n<think>Two < three.</think>\n\nLet me look.\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>\n<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>2</arg_value>\n</tool_call>",
    { thinking: "Two < three.", content: "Let me look.", calls: [oslo, paris] },
  ],
  [
    "glm45",
    "a call without line ends, behind thoughts that the prompt has opened",
    "Hm.</think><tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>",
    { thinking: "Hm.", calls: [oslo] },
    "<|assistant|><think>",
  ],
  ["glm45", "a call without arguments", "<tool_call>get_weather\n</tool_call>", { calls: [["get_weather", {}]] }],
  [
    "glm45",
    "markup inside a value, and a value of a type that no schema names",
    '<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value></tool_call>\n"12"</arg_value>\n<arg_key>more</arg_key>\n<arg_value>{"a": [1]}</arg_value>\n</tool_call> done',
    { calls: [["get_weather", { city: '</tool_call>\n"12"', more: { a: [1] } }]], content: "done" },
  ],
  [
    "glm45",
    "a call that is cut off in the middle of a tag",
    "So: <tool_call>get_weather\n<arg_key>city</arg_k",
    { content: "So:get_weather\n city" },
  ],
  ["glm45", "empty thoughts", "<think></think>\nYes.", { content: "Yes." }],
  ["llama4", "text", "See [1], [get] and {x}.", { content: "See [1], [get] and {x}." }],
  ["llama4", "a list at the beginning that is the answer", "[1, 2] it is", { content: "[1, 2] it is" }],
  [
    "llama4",
    "calls as Python writes them",
    "[get_weather(city='Oslo'), get_weather(city=\"Paris\", days=2)]",
    { calls: [oslo, paris] },
  ],
  ["llama4", "calls between tags", "<|python_start|>[get_weather(city='Oslo')]<|python_end|>", { calls: [oslo] }],
  [
    "llama4",
    "calls in JSON behind text between tags, as its template has them",
    '<|python_start|>One moment.<|python_end|>{"name": "get_weather", "parameters": {"city": "Oslo"}}{"name": "get_weather", "parameters": {"city": "Paris", "days": 2}}',
    { content: "One moment.", calls: [oslo, paris] },
  ],
  [
    "llama4",
    "a call in JSON between tags",
    '<|python_start|>{"type": "function", "name": "get_weather", "parameters": {"city": "Oslo"}}<|python_end|>',
    { calls: [oslo] },
  ],
  [
    "llama4",
    "a program, which is no call",
    "<|python_start|>print(1)\nx = [2]<|python_end|>",
    { content: "print(1)\nx = [2]" },
  ],
  [
    "llama4Pythonic",
    "values of every kind, and brackets inside texts",
    "[get_weather(city='O\\'Slo )] \\u00f8', days=-2, at=[1.5, True, None], how={'a': \"b\", \"c\": (1,)})]",
    { calls: [["get_weather", { city: "O'Slo )] ø", days: -2, at: [1.5, true, null], how: { a: "b", c: [1] } }]] },
  ],
  [
    "llama4Pythonic",
    "a number in quotes, as the template shows earlier calls",
    '[get_weather(city="Paris", days="2")]',
    { calls: [paris] },
  ],
  ["llama4Pythonic", "a call without arguments", "[get_weather()]", { calls: [["get_weather", {}]] }],
  ["llama4Pythonic", "a tool that is not there", "[get_wether(city='Oslo')]", { content: "[get_wether(city='Oslo')]" }],
  [
    "llama4Pythonic",
    "what is no Python",
    "[get_weather(city=Oslo)] or so",
    { content: "[get_weather(city=Oslo)] or so" },
  ],
  ["llama4Pythonic", "a call that is cut off", "[get_weather(city='Os", { content: "[get_weather(city='Os" }],
  [
    "gptOss",
    "thoughts and an answer",
    "<|channel|>analysis<|message|>Simple.<|end|><|start|>assistant<|channel|>final<|message|>Four < five.<|return|>",
    { thinking: "Simple.", content: "Four < five." },
  ],
  [
    "gptOss",
    "a preamble and a call",
    '<|channel|>commentary<|message|>I look it up.<|end|><|start|>assistant<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city":"Oslo"}<|call|>',
    { content: "I look it up.", calls: [oslo] },
  ],
  [
    "gptOss",
    "a call whose receiver stands first",
    ' to=functions.get_weather<|channel|>commentary json<|message|>{"city":"Oslo"}',
    { calls: [oslo] },
  ],
  ["gptOss", "text without any format", "answer: 4", { content: "answer: 4" }],
];

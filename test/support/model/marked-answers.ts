import { oslo, paris, type RecordedAnswer } from "./answer-outcome.ts";

/** Of families whose calls have a markup of their own. */
export const markedAnswers: readonly RecordedAnswer[] = [
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
];

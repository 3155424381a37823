/** The names of Ollama's prompt forms (`renderer`) and answer forms (`parser`) in Modelfiles and configs of models. */
import type { ModelConfig } from "./manifest.ts";

const thoughts = "<think>\n</think>\n";
const hermes = '<tool_call>\n{"name": ';
const qwenCoder = "<tool_call>\n<function=f>";
const glm = "<tool_call>f\n<arg_key>";
const pythonic = "<|tool_call_start|>[func(a=1)]<|tool_call_end|>";
const cohereTexts = "<|START_TEXT|><|START_RESPONSE|><|END_OF_TURN_TOKEN|>";

/** Each parser, by an answer in the markup that it reads. */
const parsers: ReadonlyMap<string, string> = new Map(
  Object.entries({
    passthrough: "",
    qwen3: hermes,
    "qwen3-thinking": thoughts + hermes,
    "qwen3-vl-instruct": hermes,
    "qwen3-vl-thinking": thoughts + hermes,
    "qwen3-coder": qwenCoder,
    "qwen3.5": thoughts + qwenCoder,
    ornith: thoughts + qwenCoder,
    "nemotron-3-nano": thoughts + qwenCoder,
    "nemotron-3.5-nano": thoughts + qwenCoder,
    "glm-4.7": thoughts + glm,
    "glm-ocr": thoughts + glm,
    laguna: thoughts + glm,
    "poolside-v1": thoughts + glm,
    ministral: "[THINK][/THINK][TOOL_CALLS]f[ARGS]{",
    harmony: "<|channel|>commentary to=functions.f<|message|>",
    cogito: `${thoughts}<｜tool▁call▁begin｜>function<｜tool▁sep｜>f\n\`\`\`json\n{}\n\`\`\``,
    deepseek3: `${thoughts}<｜tool▁call▁begin｜>f<｜tool▁sep｜>{`,
    cohere: `<|START_THINKING|><|END_THINKING|>${cohereTexts}<|START_ACTION|>[`,
    olmo3: "<function_calls>\nf()",
    "olmo3-think": thoughts,
    glimmer: "<|start|>assistant to=self<|message|><|start|>assistant to=user<|message|><atem:function_calls>",
    functiongemma: "<start_function_call>call:f{",
    gemma4: "<|channel>thought\n<channel|><|tool_call>call:f{",
    "gemma4-no-thinking": "<|tool_call>call:f{",
    lfm2: pythonic,
    "lfm2-thinking": thoughts + pythonic,
  }),
);

/** Prompt forms that the template of the model's own file has. */
const ownForms = new Set([
  ...["qwen3-coder", "qwen3-vl-instruct", "qwen3-vl-thinking", "qwen3.5", "qwen3.8", "ornith", "cogito", "deepseek3.1"],
  ...["olmo3", "olmo3.1", "olmo3-think", "olmo3-32b-think", "nemotron-3-nano", "nemotron-3.5-nano", "gemma4"],
  ...["gemma4-small", "gemma4-large", "functiongemma", "glm-4.7", "glm-ocr", "lfm2", "lfm2-thinking", "laguna"],
  ...["poolside-v1", "cohere", "glimmer"],
]);

/** An answer in the markup of the parser; undefined for an unknown one. */
export const markupOfParser = (parser: string) => parsers.get(parser);

/** Undefined where both names are known, or not there. */
export function unknownFamily({ renderer = "", parser = "" }: Pick<ModelConfig, "renderer" | "parser">) {
  if (renderer !== "" && !ownForms.has(renderer)) return `the renderer ${JSON.stringify(renderer)} is not supported`;
  if (parser !== "" && !parsers.has(parser)) return `the parser ${JSON.stringify(parser)} is not supported`;
  return undefined;
}

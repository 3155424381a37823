import type { Completions, ThinkLevel } from "../chat-completion.ts";

/**
 * What a client of another family asks for, where the model can think; else nothing: such clients ask every model.
 * @throws OllamaError for a model that is not there
 */
export async function thinkIfAble(completions: Completions, model: string, think: undefined | boolean | ThinkLevel) {
  if (think === undefined || think === false) return think;
  return (await completions.capabilities(model)).includes("thinking") ? think : undefined;
}

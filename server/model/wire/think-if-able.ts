import type { Completions, ThinkLevel } from "../chat-completion.ts";

/**
 * The thinking options for clients of other families, which ask every model: they apply only to models that can think.
 * @throws OllamaError for a missing model
 */
export async function thinkIfAble(completions: Completions, model: string, think: undefined | boolean | ThinkLevel) {
  if (think === undefined || think === false) return think;
  return (await completions.capabilities(model)).includes("thinking") ? think : undefined;
}

import type { ModelTarget, ThinkLevel } from "../chat-completion.ts";

/** The thinking options for clients of other families, which ask every model: they apply only to models that can think. */
export async function thinkIfAble({ model, completions }: ModelTarget, think: undefined | boolean | ThinkLevel) {
  if (think === undefined || think === false) return think;
  return (await completions.capabilities(model)).includes("thinking") ? think : undefined;
}

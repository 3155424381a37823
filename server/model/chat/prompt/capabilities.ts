/** The capabilities of a model. Only those that work are listed. */
import { architectureOf } from "../../models/library/gguf/gguf-details.ts";
import type { Capability, InstalledModel } from "../../models/library/installed-model.ts";
import { templateOf, type ChatTemplate, type ChatTemplates } from "./chat-template.ts";

/** The compiled template; undefined for a model without one. @throws OllamaError as ChatTemplates.compile */
export async function chatTemplateOf(
  templates: ChatTemplates,
  name: string,
  model: InstalledModel,
): Promise<ChatTemplate | undefined> {
  const text = templateOf(model);
  return text === undefined ? undefined : templates.compile(name, text);
}

/** As chatTemplateOf, but an invalid template gives no capabilities. */
const readableTemplate = (templates: ChatTemplates, model: InstalledModel) =>
  chatTemplateOf(templates, model.name.model, model).catch(() => undefined);

const fillInKeys = ["tokenizer.ggml.fim_pre_token_id", "tokenizer.ggml.prefix_token_id"];

export async function capabilitiesOf(templates: ChatTemplates, model: InstalledModel): Promise<Capability[]> {
  if (model.unrunnable !== undefined) return [];
  if (model.remote !== undefined) return [...model.remote.capabilities];
  const { metadata } = model.header;
  if (metadata.has(`${architectureOf(model.header)}.pooling_type`)) return ["embedding"];
  const template = await readableTemplate(templates, model);
  return [
    "completion",
    ...(template?.hasTools === true ? (["tools"] as const) : []),
    ...(fillInKeys.some((key) => metadata.has(key)) ? (["insert"] as const) : []),
    ...(template?.hasThinking === true ? (["thinking"] as const) : []),
  ];
}

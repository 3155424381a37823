/** The chat template of a model: Jinja, rendered in a thread, because foreign templates must not delay streams. */
import { isRefusal, TemplateError, type TemplateRenderer } from "../../../foreign/template-renderer.ts";
import type { ChatMessage, ToolDefinition } from "../../chat-completion.ts";
import { architectureOf, ggufText } from "../../models/library/gguf/gguf-details.ts";
import type { GgufHeader } from "../../models/library/gguf/gguf-header.ts";
import { jinjaForGo, plainJinja } from "../../models/library/go-template.ts";
import type { Capability, InstalledModel } from "../../models/library/installed-model.ts";
import { OllamaError } from "../../ollama-error.ts";
import { messageForms } from "./message-forms.ts";
import { templateVariables } from "./template-messages.ts";
import { traitsOf, type TemplateTraits } from "./template-traits.ts";

export const templateTextOf = ({ metadata }: GgufHeader) => ggufText(metadata.get("tokenizer.chat_template"));

/** The template that counts: the model's own from its manifest, else that of its file. Undefined for an unknown one of Go. */
export const templateOf = ({
  template,
  header,
  goTemplate,
}: Pick<InstalledModel, "template" | "header" | "goTemplate">) =>
  template ?? templateTextOf(header) ?? (goTemplate === undefined ? plainJinja : jinjaForGo(goTemplate));

/** The conversation, and how the model should answer. */
export interface TemplateInput {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly isThinking: boolean;
  readonly effort: string | undefined;
  readonly bosToken: string;
  readonly eosToken: string;
}

export interface ChatTemplate extends TemplateTraits {
  /**
   * Renders the prompt up to the start of the assistant's answer.
   * @throws OllamaError 400 when the template refuses the messages, takes too long or makes too much; 500 when it cannot
   * be run
   */
  render(input: TemplateInput): Promise<string>;
}

export interface ChatTemplates {
  /**
   * `name` is for messages. @throws OllamaError 500 for an invalid template, 400 for one that takes too long or makes
   * too much
   */
  compile(name: string, text: string): Promise<ChatTemplate>;
}

/** The number of templates whose traits are cached. */
const mostKept = 64;

/** The meaning of a failure, by its kind. */
const failures = {
  refused: (which: string, why: string) => `${which} refuses these messages: ${why}`,
  unsupported: (which: string, why: string) => `this server's Jinja cannot run ${which}: ${why}`,
  out_of_time: (which: string, why: string) => `${which}: ${why}: make its loops shorter`,
  too_large: (which: string, why: string) => `${which}: ${why}: make it smaller`,
};

function templateFailure(error: unknown, name: string): unknown {
  if (!(error instanceof TemplateError)) return error;
  const { kind, message } = error;
  const what = failures[kind](`the chat template of "${name}"`, message);
  return new OllamaError(kind === "unsupported" ? 500 : 400, `template error: ${what}`, error);
}

function createTemplate(
  name: string,
  { text, traits, renderer }: { text: string; traits: TemplateTraits; renderer: TemplateRenderer },
): ChatTemplate {
  return {
    ...traits,
    async render({ messages, tools, isThinking, effort, bosToken, eosToken }) {
      let refusal: unknown;
      for (const form of messageForms(messages, traits.forms))
        try {
          return await renderer.render(text, {
            ...templateVariables(form, tools, traits.style),
            add_generation_prompt: true,
            bos_token: bosToken,
            eos_token: eosToken,
            enable_thinking: isThinking,
            thinking: isThinking,
            ...(effort !== undefined && { reasoning_effort: effort }),
          });
        } catch (error) {
          refusal ??= error;
          if (!isRefusal(error)) break;
        }
      throw templateFailure(refusal, name);
    },
  };
}

export function createChatTemplates(renderer: TemplateRenderer): ChatTemplates {
  const known = new Map<string, Promise<TemplateTraits>>();

  /** Determined once, even for a template without any traits. */
  function traitsFor(text: string): Promise<TemplateTraits> {
    const found = known.get(text);
    if (found !== undefined) return found;
    const [oldest] = known.keys();
    if (known.size >= mostKept && oldest !== undefined) known.delete(oldest);
    const traits = renderer.check(text).then(() => traitsOf(text, renderer));
    known.set(text, traits);
    traits.catch((error: unknown) => {
      // A busy machine may have had no time for it.
      if (!(error instanceof TemplateError) || error.kind === "out_of_time") known.delete(text);
    });
    return traits;
  }

  return {
    async compile(name, text) {
      try {
        return createTemplate(name, { text, traits: await traitsFor(text), renderer });
      } catch (error) {
        throw templateFailure(error, name);
      }
    },
  };
}

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
  const known = model.remote ?? model.rules;
  if (known !== undefined) return [...known.capabilities];
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

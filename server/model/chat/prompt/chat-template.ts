/** The chat template of a model: Jinja, rendered in a thread, because foreign templates must not delay streams. */
import { isGoTemplate } from "../../../foreign/go-template/is-go-template.ts";
import { isRefusal, TemplateError, type TemplateRenderer } from "../../../foreign/template-renderer.ts";
import type { ChatMessage, ToolDefinition } from "../../chat-completion.ts";
import { architectureOf, ggufText } from "../../models/library/gguf/gguf-details.ts";
import type { GgufHeader } from "../../models/library/gguf/gguf-header.ts";
import type { Capability, InstalledModel } from "../../models/library/installed-model.ts";
import { OllamaError } from "../../ollama-error.ts";
import { messageForms } from "./message-forms.ts";
import { effortVariables, templateVariables } from "./template-messages.ts";
import { nearestEffort, traitsOf, type Effort, type TemplateTraits } from "./template-traits.ts";

export const templateTextOf = ({ metadata }: GgufHeader) => ggufText(metadata.get("tokenizer.chat_template"));

/** For a model without a template: blank lines between the texts, the system message first (our choice). */
const plainTemplate = "{{ messages | selectattr('content') | map(attribute='content') | join('\\n\\n') }}";

/** What the text of a template speaks of: tools, and thoughts. */
const goAbilities = [/\.Tools\b/, /\.Thinking\b/];
const jinjaAbilities = [/\btools\b|tool_call/, /<think>[^]*<\/think>/];

/** Like Ollama, prefers the template of the file to one of Go that can do less. */
function isSurpassed(template: string, other: string): boolean {
  if (!isGoTemplate(template)) return false;
  const count = (text: string, abilities: readonly RegExp[]) => abilities.filter((one) => one.test(text)).length;
  return count(other, jinjaAbilities) > count(template, goAbilities);
}

/** The template that counts: the model's own from its manifest, or that of its file. */
export function templateOf({ template, header }: Pick<InstalledModel, "template" | "header">): string {
  const other = templateTextOf(header);
  if (template === undefined) return other ?? plainTemplate;
  return other !== undefined && isSurpassed(template, other) ? other : template;
}

/** The conversation, and how the model should answer. */
export interface TemplateInput {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly isThinking: boolean;
  readonly effort: Effort | undefined;
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
      const { system, withTools, withoutTools } = traits.forms;
      const level = effort && nearestEffort(traits.efforts, effort);
      let refusal: unknown;
      for (const form of messageForms(messages, system, tools.length > 0 ? withTools : withoutTools))
        try {
          return await renderer.render(text, {
            ...templateVariables(form, tools, traits.style),
            add_generation_prompt: true,
            bos_token: bosToken,
            eos_token: eosToken,
            enable_thinking: isThinking,
            thinking: isThinking,
            ...(level && effortVariables(level)),
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

/** The template for requests with tools that some files have besides the one for all. */
const toolTemplateOf = ({ template, header }: InstalledModel) =>
  template === undefined ? ggufText(header.metadata.get("tokenizer.chat_template.tool_use")) : undefined;

/**
 * The compiled template for requests with or without tools; undefined for a model without one.
 * @throws OllamaError as ChatTemplates.compile
 */
export async function chatTemplateOf(
  templates: ChatTemplates,
  name: string,
  model: InstalledModel,
  hasTools = false,
): Promise<ChatTemplate | undefined> {
  const text = (hasTools ? toolTemplateOf(model) : undefined) ?? templateOf(model);
  return text === undefined ? undefined : templates.compile(name, text);
}

/** As chatTemplateOf, but an invalid template gives no capabilities. */
const readableTemplate = (templates: ChatTemplates, model: InstalledModel, hasTools?: boolean) =>
  chatTemplateOf(templates, model.name.model, model, hasTools).catch(() => undefined);

const fillInKeys = ["tokenizer.ggml.fim_pre_token_id", "tokenizer.ggml.prefix_token_id"];

export async function capabilitiesOf(templates: ChatTemplates, model: InstalledModel): Promise<Capability[]> {
  if (model.unrunnable !== undefined) return [];
  if (model.remote !== undefined) return [...model.remote.capabilities];
  const { metadata } = model.header;
  if (metadata.has(`${architectureOf(model.header)}.pooling_type`)) return ["embedding"];
  const template = await readableTemplate(templates, model);
  return [
    "completion",
    ...((await readableTemplate(templates, model, true))?.hasTools === true ? (["tools"] as const) : []),
    ...(fillInKeys.some((key) => metadata.has(key)) ? (["insert"] as const) : []),
    ...(template?.hasThinking === true ? (["thinking"] as const) : []),
  ];
}

/** The chat template of a model: of Jinja or Go, rendered in a thread, because foreign templates must not delay streams. */
import { isGoTemplate } from "../../../foreign/go-template/is-go-template.ts";
import { isRefusal, TemplateError, type TemplateRenderer } from "../../../foreign/template-renderer.ts";
import type { ChatMessage, ToolDefinition } from "../../chat-completion.ts";
import { architectureOf, ggufText } from "../../models/library/gguf/gguf-details.ts";
import type { GgufHeader } from "../../models/library/gguf/gguf-header.ts";
import type { Capability, InstalledModel } from "../../models/library/installed-model.ts";
import { OllamaError } from "../../ollama-error.ts";
import { rememberResults } from "../../remember-results.ts";
import { messageForms } from "./message-forms.ts";
import { rendererTemplates } from "./renderer-templates.ts";
import { effortVariables, templateVariables } from "./template-messages.ts";
import { nearestEffort, traitsOf, type Effort, type TemplateTraits } from "./template-traits.ts";

export const templateTextOf = ({ metadata }: GgufHeader) => ggufText(metadata.get("tokenizer.chat_template"));

/** For a model without a template: blank lines between the texts, the system message first (our choice). */
const plainTemplate = "{{ messages | selectattr('content') | map(attribute='content') | join('\\n\\n') }}";

/** Words in a template about tools, and about thoughts. */
type Ability = (template: string) => boolean;
const goAbilities: readonly Ability[] = [(text) => /\.Tools\b/.test(text), (text) => /\.Thinking\b/.test(text)];
const jinjaAbilities: readonly Ability[] = [
  (text) => /\btools\b|tool_call/.test(text),
  (text) => text.includes("<think>") && text.lastIndexOf("</think>") > text.indexOf("<think>"),
];

/** Like Ollama, prefers the template of the file to one of Go that can do less. */
function isSurpassed(template: string, other: string): boolean {
  if (!isGoTemplate(template)) return false;
  const count = (text: string, abilities: readonly Ability[]) => abilities.filter((has) => has(text)).length;
  return count(other, jinjaAbilities) > count(template, goAbilities);
}

/**
 * The template that counts: the model's own from its manifest, or that of its file. For a model with a renderer it is
 * that of the file, or ours. @throws OllamaError 400 for a renderer of which there is neither
 */
export function templateOf({
  template,
  header,
  config,
}: Pick<InstalledModel, "template" | "header" | "config">): string {
  const other = templateTextOf(header);
  const renderer = config?.renderer ?? "";
  if (renderer !== "") {
    const text = other ?? rendererTemplates.get(renderer);
    if (text !== undefined) return text;
    throw new OllamaError(
      400,
      `the renderer ${JSON.stringify(renderer)} requires a chat template in the GGUF file, which has none`,
    );
  }
  if (template === undefined) return other ?? plainTemplate;
  return other !== undefined && isSurpassed(template, other) ? other : template;
}

/** Whether the template, of Go, writes prompts of texts between which the answer belongs. */
const hasSuffix = (template: string) => isGoTemplate(template) && /\.Suffix\b/.test(template);

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
  /** Renders a prompt whose answer is followed by the suffix; undefined for a template that has no place for one. */
  readonly renderInfill: ((prompt: string, suffix: string) => Promise<string>) | undefined;
  /**
   * Renders the prompt up to the start of the assistant's answer.
   * @throws OllamaError 400 when the template refuses the messages, fails on them, takes too long or makes too much; 500
   * when it cannot be run
   */
  render(input: TemplateInput): Promise<string>;
}

export interface ChatTemplates {
  /**
   * `name` is for messages. `parser` names the form of the answers; without one the template tells it. @throws OllamaError 500 for an invalid template, 400 for one that takes too long or makes
   * too much
   */
  compile(name: string, text: string, parser?: string): Promise<ChatTemplate>;
}

/** The number of templates whose traits are cached. */
const mostKept = 512;

/** The meaning of a failure, by its kind. */
const failures = {
  refused: (which: string, why: string) => `${which} refuses these messages: ${why}`,
  failed: (which: string, why: string) => `${which} cannot render this request: ${why}`,
  unsupported: (which: string, why: string, isGo: boolean) =>
    isGo ? `${which} cannot be run: ${why}` : `this server's Jinja does not support ${which}: ${why}`,
  out_of_time: (which: string, why: string) => `${which}: ${why}: make its loops shorter`,
  too_large: (which: string, why: string) => `${which}: ${why}: make it smaller`,
};

function templateFailure(error: unknown, name: string, text: string): unknown {
  if (!(error instanceof TemplateError)) return error;
  const { kind, message } = error;
  const what = failures[kind](`the chat template of "${name}"`, message, isGoTemplate(text));
  return new OllamaError(kind === "unsupported" ? 500 : 400, `template error: ${what}`, error);
}

function createTemplate(
  name: string,
  { text, traits, renderer }: { text: string; traits: TemplateTraits; renderer: TemplateRenderer },
): ChatTemplate {
  const renderInfill = async (prompt: string, suffix: string) =>
    renderer.render(text, { prompt, suffix }).catch((error: unknown) => {
      throw templateFailure(error, name, text);
    });
  return {
    ...traits,
    renderInfill: hasSuffix(text) ? renderInfill : undefined,
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
            // A template of Go sees whether anything was decided about thoughts.
            ...((traits.hasThinking || !isGoTemplate(text)) && { enable_thinking: isThinking, thinking: isThinking }),
            ...(level && effortVariables(level)),
          });
        } catch (error) {
          refusal ??= error;
          if (!isRefusal(error)) break;
        }
      throw templateFailure(refusal, name, text);
    },
  };
}

export function createChatTemplates(renderer: TemplateRenderer): ChatTemplates {
  // A busy machine may have had no time for a template.
  const lasts = (error: unknown) => error instanceof TemplateError && error.kind !== "out_of_time";
  /** Determined once, even for a template without any traits. */
  const traitsFor = rememberResults<TemplateTraits>(mostKept, lasts);

  return {
    async compile(name, text, parser) {
      try {
        const find = async () => {
          await renderer.check(text);
          return traitsOf(text, renderer, parser);
        };
        const traits = await traitsFor(`${parser ?? ""}\n${text}`, find);
        return createTemplate(name, { text, traits, renderer });
      } catch (error) {
        throw templateFailure(error, name, text);
      }
    },
  };
}

/** The template for requests with tools that some files have besides the one for all. */
const toolTemplateOf = ({ template, header }: InstalledModel) =>
  template === undefined ? ggufText(header.metadata.get("tokenizer.chat_template.tool_use")) : undefined;

/** The compiled template for requests with or without tools. @throws OllamaError as ChatTemplates.compile */
export const chatTemplateOf = async (
  templates: ChatTemplates,
  name: string,
  model: InstalledModel,
  hasTools = false,
): Promise<ChatTemplate> =>
  templates.compile(name, (hasTools ? toolTemplateOf(model) : undefined) ?? templateOf(model), model.config?.parser);

/** As chatTemplateOf, but an invalid template gives no capabilities. */
const readableTemplate = (templates: ChatTemplates, model: InstalledModel, hasTools?: boolean) =>
  chatTemplateOf(templates, model.name.model, model, hasTools).catch(() => undefined);

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
    ...((await readableTemplate(templates, model, true))?.hasTools === true ? (["tools"] as const) : []),
    ...(fillInKeys.some((key) => metadata.has(key)) || template?.renderInfill !== undefined
      ? (["insert"] as const)
      : []),
    ...(template?.hasThinking === true ? (["thinking"] as const) : []),
  ];
}

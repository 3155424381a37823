/** The chat template of a model: Jinja, rendered here so that no foreign template runs beside native code. */
import { Template } from "@huggingface/jinja";
import type { ChatMessage, ToolDefinition } from "../chat-completion.ts";
import { textOf } from "../library/gguf-details.ts";
import type { GgufHeader } from "../library/gguf-header.ts";
import type { InstalledModel } from "../library/installed-model.ts";
import { OllamaError } from "../ollama-error.ts";
import { messageForms } from "./message-forms.ts";
import { templateVariables } from "./template-messages.ts";
import { traitsOf, type RenderTemplate, type TemplateTraits } from "./template-traits.ts";

export const templateTextOf = ({ metadata }: GgufHeader) => textOf(metadata.get("tokenizer.chat_template"));

/** The template that counts: the model's own from its manifest, else that of its file. */
export const templateOf = ({ template, header }: Pick<InstalledModel, "template" | "header">) =>
  template ?? templateTextOf(header);

/** What is said, and how the model is to answer. */
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
   * The prompt up to where the assistant's answer begins.
   * @throws OllamaError 400 when the template refuses the messages
   */
  render(input: TemplateInput): string;
}

export interface ChatTemplates {
  /** `name` is for messages. @throws OllamaError 500 when the template cannot be read */
  compile(name: string, text: string): ChatTemplate;
}

/** Templates that are kept compiled. */
const mostKept = 64;

function createTemplate(name: string, text: string): ChatTemplate {
  let render: RenderTemplate;
  try {
    const template = new Template(text);
    render = (variables) => template.render(variables);
  } catch (error) {
    throw new OllamaError(500, `template error: the chat template of "${name}": ${(error as Error).message}`, error);
  }
  const traits = traitsOf(text, render);
  return {
    ...traits,
    render({ messages, tools, isThinking, effort, bosToken, eosToken }) {
      let refusal: unknown;
      for (const form of messageForms(messages))
        try {
          return render({
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
        }
      const why = (refusal as Error).message;
      const what = `template error: the chat template of "${name}" refuses these messages: ${why}`;
      throw new OllamaError(400, what, refusal);
    },
  };
}

export function createChatTemplates(): ChatTemplates {
  const compiled = new Map<string, ChatTemplate>();
  return {
    compile(name, text) {
      const known = compiled.get(text);
      if (known !== undefined) return known;
      const template = createTemplate(name, text);
      const [oldest] = compiled.keys();
      if (compiled.size >= mostKept && oldest !== undefined) compiled.delete(oldest);
      compiled.set(text, template);
      return template;
    },
  };
}

/** The chat template that a GGUF carries: Jinja, rendered here so that no foreign template runs beside native code. */
import { Template } from "@huggingface/jinja";
import { textOf } from "../library/gguf-details.ts";
import type { GgufHeader } from "../library/gguf-header.ts";
import { OllamaError } from "../ollama-error.ts";
import type { ChatMessage } from "./chat-messages.ts";

export const templateTextOf = ({ metadata }: GgufHeader) => textOf(metadata.get("tokenizer.chat_template"));

export interface SpecialTokens {
  readonly bosToken: string;
  readonly eosToken: string;
}

export interface ChatTemplates {
  /**
   * The prompt for these messages, up to where the assistant's answer begins.
   * @throws OllamaError 400 when the model has no template or its template refuses the messages, 500 when the template
   * itself cannot be read. `name` is for the messages.
   */
  render(name: string, header: GgufHeader, messages: readonly ChatMessage[], tokens: SpecialTokens): string;
}

export function createChatTemplates(): ChatTemplates {
  const compiled = new WeakMap<GgufHeader, Template>();

  function templateOf(name: string, header: GgufHeader): Template {
    const known = compiled.get(header);
    if (known !== undefined) return known;
    const text = templateTextOf(header);
    if (text === undefined)
      throw new OllamaError(400, `"${name}" does not support chat: its file has no chat template; use /api/generate`);
    try {
      const template = new Template(text);
      compiled.set(header, template);
      return template;
    } catch (error) {
      throw new OllamaError(500, `template error: the chat template of "${name}": ${(error as Error).message}`, error);
    }
  }

  return {
    render(name, header, messages, { bosToken, eosToken }) {
      const template = templateOf(name, header);
      try {
        return template.render({
          messages,
          add_generation_prompt: true,
          bos_token: bosToken,
          eos_token: eosToken,
          // Thoughts cannot be told from the answer yet, so a model that thinks is asked not to.
          enable_thinking: false,
        });
      } catch (error) {
        const why = (error as Error).message;
        throw new OllamaError(
          400,
          `template error: the chat template of "${name}" refuses these messages: ${why}`,
          error,
        );
      }
    },
  };
}

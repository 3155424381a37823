/** The model service as third-party clients meet it, over scripted answers: a model that calls tools, and one that thinks. */
import { startModelService } from "./model-service.ts";
import { createScriptedEngine } from "./scripted-engine.ts";

const turns =
  "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}" +
  "{% for c in m.tool_calls or [] %}<tool_call>\n{{ c.function | tojson }}\n</tool_call>{% endfor %}<|im_end|>\n{% endfor %}";
const callingTemplate =
  "{% if tools %}<tools>{{ tools | tojson }}</tools> Answer in <tool_call> tags.\n{% endif %}" +
  `${turns}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`;
const thinkingTemplate =
  `${turns}{% if add_generation_prompt %}<|im_start|>assistant\n` +
  "{% if enable_thinking is defined and enable_thinking is false %}<think>\n\n</think>\n\n{% endif %}{% endif %}";

/** What the model says to call the tool `weather` for each of these cities. */
export const callsFor = (...cities: string[]): string[] =>
  cities.map((city) => `<tool_call>\n{"name":"weather","arguments":{"city":"${city}"}}\n</tool_call>\n`);

/** The arguments of the tool `weather`, and of other things that are about a place. */
export const placeSchema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

export async function startClientScene() {
  const engine = createScriptedEngine();
  const service = await startModelService(engine, {
    files: { "caller.gguf": { chatTemplate: callingTemplate }, "thinker.gguf": { chatTemplate: thinkingTemplate } },
  });
  return { engine, service, asked: () => engine.requests.at(-1) };
}
export type ClientScene = Awaited<ReturnType<typeof startClientScene>>;

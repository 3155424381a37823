/**
 * Lets the starter model answer only where it is sure. A wrong answer of so small a model sounds like a right one, but the
 * product of its first tokens' probabilities tells them apart.
 */
import type { ChatRequest } from "../chat-completion.ts";
import type { GenerationChunk } from "../engine/engine.ts";
import type { LoadOptions } from "../scheduler/load-options.ts";
import { plainQuestion } from "./plain-question.ts";
import { languageOf, type Topics } from "./topics.ts";

/** What stands in for an answer: a text, and questions that the model can answer. */
export interface Refusal {
  readonly text: string;
  readonly suggestions: readonly string[];
}

/** `least`: the confidence, from 0 to 1, from which an answer is let through. */
export interface Gate {
  readonly least: number;
  readonly refuse: () => Promise<Refusal>;
}

/** The tokens whose probabilities make the confidence; later ones tell little more. */
const judgedTokens = 12;
const suggestionCount = 3;

const refusals = {
  en: "I am not sure about that: I am only Hearth's starter model and know little but Hearth. For more, pull a larger model: hearth pull MODEL",
  zh: "这个我没有把握：我只是 Hearth 的入门模型，只熟悉 Hearth。需要更多，请拉取更大的模型：hearth pull MODEL",
};

export interface GateOptions {
  /** The setting starter_confidence. */
  readonly least: number;
  readonly topics: () => Promise<Topics>;
}

/** The gate of a chat; undefined where answers are let through as they are: drawn ones have no such confidence. */
export const createGates =
  ({ least, topics }: GateOptions) =>
  (request: ChatRequest, { model, options }: LoadOptions): Gate | undefined => {
    const asked = plainQuestion(request, model);
    if (least === 0 || asked === undefined || options.temperature !== 0) return undefined;
    const language = languageOf(asked);
    return {
      least,
      async refuse() {
        const { find, known } = await topics();
        // Some are offered also where none is near.
        const nearest = new Set([...find(asked).filter((topic) => topic.known), ...known]);
        const suggestions = [...nearest].slice(0, suggestionCount).map(({ question }) => question[language]);
        return { text: refusals[language], suggestions };
      },
    };
  };

/** The end of an answer that the model was not sure of, and how many tokens showed it. */
export interface Unsure {
  readonly type: "unsure";
  readonly refusal: Refusal;
  readonly tokens: number;
}

/** Passes an answer on from when its first tokens were likely enough. Until then nothing of its text is given away. */
export async function* holdUntilSure(
  first: IteratorResult<GenerationChunk>,
  chunks: AsyncIterator<GenerationChunk>,
  { least, refuse }: Gate,
): AsyncGenerator<GenerationChunk | Unsure, void> {
  let held: GenerationChunk[] = [];
  let isSure = false;
  let [tokens, logarithm] = [0, 0];
  for (let next = first; next.done !== true; next = await chunks.next()) {
    const chunk = next.value;
    if (isSure || chunk.type === "progress") {
      yield chunk;
      continue;
    }
    held.push(chunk);
    const logprobs = chunk.type === "text" ? (chunk.logprobs ?? []) : [];
    for (const { logprob } of logprobs.slice(0, judgedTokens - tokens)) {
      tokens++;
      logarithm += logprob;
    }
    if (Math.exp(logarithm) < least) {
      yield { type: "unsure", refusal: await refuse(), tokens };
      return;
    }
    isSure = tokens === judgedTokens || chunk.type === "done";
    if (isSure) yield* held;
    if (isSure) held = [];
  }
}

/** Finds out which topics a model knows, which the service then offers in the place of an answer. */
import type { Topic } from "../../../server/model/starter/topics.ts";
import { languages } from "../corpus/language.ts";
import type { Knowledge } from "../corpus/topics.ts";
import { ask, type Model } from "./ask.ts";
import type { Extent } from "./evaluate.ts";
import { judge } from "./judge.ts";

/**
 * Asks the question of each topic in both languages, and leaves it out where an answer is not right.
 * @param model with the file of `topics` beside it
 * @param extent the first so many topics are asked for; the questions of the others are left out
 * @throws Error with the service's message when it refuses
 */
export async function noteKnown(
  model: Model,
  topics: readonly Topic[],
  { byId }: Knowledge,
  { mostTokens, topics: asked }: Pick<Extent, "mostTokens" | "topics">,
): Promise<Topic[]> {
  async function isKnown({ id, question }: Topic): Promise<boolean> {
    if (question === undefined) return false;
    for (const language of languages) {
      const conversation = { messages: [{ role: "user", content: question[language] }] } as const;
      const reply = await ask(model, { conversation, mostTokens });
      const parts = byId.get(id)?.[language].must ?? [];
      if (judge({ parts }, language, reply) !== "right") return false;
    }
    return true;
  }

  const noted: Topic[] = [];
  for (const topic of topics) {
    const { question: _, ...rest } = topic;
    noted.push(noted.length < asked && (await isKnown(topic)) ? topic : rest);
  }
  return noted;
}

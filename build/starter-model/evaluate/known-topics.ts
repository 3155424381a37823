/** Finds out which topics a model knows, which the service then offers in the place of an answer. */
import type { Topic } from "../../../server/model/guidance/topics.ts";
import { languages } from "../corpus/language.ts";
import type { Knowledge } from "../corpus/topics.ts";
import { ask } from "./ask.ts";
import type { Extent } from "./evaluate.ts";
import { openModel } from "./open-model.ts";
import { judge } from "./judge.ts";

/**
 * Asks the question of each topic in both languages, and leaves it out where an answer is not right.
 * @param file the model's, with the file of `topics` beside it
 * @param extent the first so many topics are asked for; the questions of the others are left out
 * @throws Error when the model cannot be loaded
 */
export async function noteKnown(
  file: string,
  topics: ReadonlyMap<string, Topic>,
  { byId }: Knowledge,
  { least, mostTokens, topics: asked }: Pick<Extent, "least" | "mostTokens" | "topics">,
): Promise<Topic[]> {
  await using model = await openModel(file, least);

  async function isKnown(id: string, question: NonNullable<Topic["question"]>): Promise<boolean> {
    for (const language of languages) {
      const conversation = { messages: [{ role: "user", content: question[language] }] } as const;
      const reply = await ask(model, { conversation, mostTokens });
      const parts = byId.get(id)?.[language].must ?? [];
      if (judge({ parts }, language, reply) !== "right") return false;
    }
    return true;
  }

  const noted: Topic[] = [];
  for (const [id, topic] of topics) {
    const { question, ...rest } = topic;
    const known = question !== undefined && noted.length < asked && (await isKnown(id, question));
    noted.push(known ? topic : rest);
  }
  return noted;
}

/** Finds out which topics a model knows, which the service then offers in the place of an answer. */
import type { Topic } from "../../../server/model/guidance/topics.ts";
import { languages } from "../corpus/language.ts";
import type { Knowledge } from "../corpus/topics.ts";
import { ask } from "./ask.ts";
import { openModel } from "./open-model.ts";
import { judge } from "./judge.ts";

/**
 * Asks the question of each topic in both languages, and leaves it out where an answer is not right.
 * @param file the model's, with the file of `topics` beside it
 * @param least the confidence below which the service refuses
 * @throws Error when the model cannot be loaded
 */
export async function noteKnown(
  file: string,
  topics: ReadonlyMap<string, Topic>,
  { byId }: Knowledge,
  { least, mostTokens }: { readonly least: number; readonly mostTokens: number },
): Promise<Topic[]> {
  await using model = await openModel(file, least);
  const noted: Topic[] = [];
  for (const [id, topic] of topics) {
    const { question, ...rest } = topic;
    let known = question !== undefined;
    for (const language of question ? languages : []) {
      const conversation = { messages: [{ role: "user", content: question?.[language] ?? "" }] } as const;
      const reply = await ask(model, { conversation, mostTokens });
      const parts = byId.get(id)?.[language].must ?? [];
      known &&= judge({ parts }, language, reply) === "right";
    }
    noted.push(known ? topic : rest);
  }
  return noted;
}

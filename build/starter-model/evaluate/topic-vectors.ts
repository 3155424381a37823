/** The mean vector of the questions about each topic, by which the service finds topics beside their terms. */
import { packVector, type Topic } from "../../../server/model/guidance/topics.ts";
import { languages } from "../corpus/language.ts";
import { expand } from "../corpus/patterns.ts";
import { Random } from "../corpus/random.ts";
import { openId, type Knowledge } from "../corpus/topics.ts";
import { embed, type Model } from "./ask.ts";
import type { Extent } from "./evaluate.ts";

function meanOf(vectors: readonly (readonly number[])[]): number[] {
  const [first = []] = vectors;
  return first.map((_, index) => vectors.reduce((sum, vector) => sum + (vector[index] ?? 0), 0) / vectors.length);
}

/**
 * Adds to topics, and to what is to be refused, the vectors of wordings to learn from.
 * @param extent so many wordings of each topic and language, at most
 * @returns the topics; the exercises stay as they are
 * @throws Error with the service's message when it refuses
 */
export async function withVectors(
  model: Model,
  topics: ReadonlyMap<string, Topic>,
  { byId, open }: Knowledge,
  { wordings }: Pick<Extent, "wordings">,
  seed: number,
): Promise<Map<string, Topic>> {
  const random = new Random(seed);
  const found = new Map(topics);
  for (const [id, topic] of topics) {
    const known = id === openId ? open : byId.get(id);
    if (known === undefined) continue;
    const texts = languages.flatMap((language) => {
      const { asked } = known[language];
      const from = asked.length > 0 || !("named" in known[language]) ? asked : known[language].named;
      return random.sample(from, wordings).map((wording) => expand(wording, random));
    });
    found.set(id, { ...topic, vector: packVector(meanOf(await embed(model, texts))) });
  }
  return found;
}

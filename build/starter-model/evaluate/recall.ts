/** Whether paraphrases of a question are nearest to each other, by the mean-pooled vectors of /api/embed. */
import { product } from "../../../server/model/engine/vector.ts";
import type { Language } from "../corpus/language.ts";
import { expand } from "../corpus/patterns.ts";
import type { Random } from "../corpus/random.ts";
import type { Knowledge } from "../corpus/topics.ts";
import { embed, type Model } from "./ask.ts";

/** How many of so many questions have another wording of the same question nearest to them. */
export async function recallAtOne(
  model: Model,
  { facts }: Knowledge,
  language: Language,
  random: Random,
  most: number,
) {
  const pairs = random.sample(facts, facts.length).flatMap((fact) => {
    const { asked, judgedBy } = fact[language];
    if (asked.length === 0 || judgedBy.length === 0) return [];
    return [{ known: expand(random.pick(asked), random), asked: expand(random.pick(judgedBy), random) }];
  });
  const chosen = pairs.slice(0, most);
  const known = await embed(
    model,
    chosen.map((pair) => pair.known),
  );
  const asked = await embed(
    model,
    chosen.map((pair) => pair.asked),
  );
  const found = asked.filter((vector, index) => {
    const likeness = known.map((other) => product(vector, other));
    return likeness.indexOf(Math.max(...likeness)) === index;
  });
  return { right: found.length, of: chosen.length };
}

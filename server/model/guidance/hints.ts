/** What the starter model is told before a question: so small a model chooses better among few topics than among all. */
import { languageOf, type Found } from "./topics.ts";

/** Topics that a question may be about: the right one is nearly always among so many. */
const hintCount = 5;
/** The share of the best score that a further topic has. One hint alone tells the model that the look-up is sure. */
const leastShare = 0.8;

/**
 * A system message for a question; undefined where no topic shares a term with it.
 * @param found the topics near to it, the nearest first
 */
export function hintsFor(question: string, found: readonly Found[]): string | undefined {
  const language = languageOf(question);
  const least = leastShare * (found[0]?.score ?? 0);
  const near = found
    .flatMap(({ topic: { name }, score }) => (name && score >= least ? [name[language]] : []))
    .slice(0, hintCount);
  return near.length > 0 ? `Perhaps: ${near.join("; ")}` : undefined;
}

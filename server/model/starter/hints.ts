/** Hints for the starter model before a question: so small a model chooses better among few topics than among all. */
import { languageOfText, type Found } from "./topics.ts";

/** Topics that a question may be about: the right one is nearly always among so many. */
const hintCount = 5;
/** How likely a further topic is, against the likeliest. One hint alone tells the model that the look-up is sure. */
const leastRatio = 0.1;
/** How likely a topic is at least: below, the look-up knows nothing of the question. */
const leastShare = 0.02;

/**
 * A system message for a question; undefined where it seems to be about something without a name.
 * @param found the topics near to it, the nearest first
 */
export function hintsFor(question: string, found: readonly Found[]): string | undefined {
  const language = languageOfText(question);
  const least = Math.max(leastShare, leastRatio * (found[0]?.share ?? 0));
  const near = found
    .flatMap(({ topic: { name }, share }) => (name && share >= least ? [name[language]] : []))
    .slice(0, hintCount);
  return near.length > 0 ? `Perhaps: ${near.join("; ")}` : undefined;
}

/** What the starter model is told before a question: so small a model chooses better among few topics than among all. */
import type { ChatRequest } from "../chat-completion.ts";
import type { InstalledModel } from "../library/installed-model.ts";
import { plainQuestion } from "./plain-question.ts";
import { languageOf, type FindTopics, type Topics } from "./topics.ts";

/** Topics that a question may be about: the right one is nearly always among so many. */
const hintCount = 5;
/** The share of the best score that a further topic has. One hint alone tells the model that the look-up is sure. */
const leastShare = 0.8;

/** A system message for a question; undefined where no topic shares a term with it. */
export function hintsFor(findTopics: FindTopics, question: string): string | undefined {
  const language = languageOf(question);
  const found = findTopics(question);
  const least = leastShare * (found[0]?.score ?? 0);
  const near = found
    .flatMap(({ topic: { name }, score }) => (name && score >= least ? [name[language]] : []))
    .slice(0, hintCount);
  return near.length > 0 ? `Perhaps: ${near.join("; ")}` : undefined;
}

/** The chat with hints before it, where it is a question to the starter model. */
export async function withHints(
  request: ChatRequest,
  model: InstalledModel,
  topics: () => Promise<Topics>,
): Promise<ChatRequest> {
  const question = plainQuestion(request, model);
  const hints = question === undefined ? undefined : hintsFor((await topics()).find, question);
  return hints === undefined
    ? request
    : { ...request, messages: [{ role: "system", content: hints }, ...request.messages] };
}

/** What the starter model is told before a question: so small a model chooses better among few topics than among all. */
import type { ChatRequest } from "../chat-completion.ts";
import type { InstalledModel } from "../library/installed-model.ts";
import { plainQuestion } from "./plain-question.ts";
import { languageOf, type FindTopics, type Topics } from "./topics.ts";

/** Topics that a question may be about: the right one is nearly always among so many. */
const hintCount = 5;

/** A system message for a question; undefined where no topic shares a term with it. */
export function hintsFor(findTopics: FindTopics, question: string): string | undefined {
  const topics = findTopics(question).slice(0, hintCount);
  const language = languageOf(question);
  return topics.length > 0 ? `Perhaps: ${topics.map(({ name }) => name[language]).join("; ")}` : undefined;
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

/** The hints that the service gives the model, as it learns to read them. */
import { hintsFor } from "../../../server/model/starter/hints.ts";
import { createFindTopics } from "../../../server/model/starter/topics.ts";
import { heldOut } from "./held-out.ts";
import { oneIn, shippedTopics } from "./topic-terms.ts";
import type { Knowledge } from "./topics.ts";

const halfOf = (wording: string) => (heldOut("half", wording, 2) ? 1 : 0);

/**
 * A question is looked up among the half of the wordings without its own, or among the half with it. In the one it is found
 * less often than the service finds a new question, with all wordings and their vectors; in the other nearly always. Of
 * both together the model learns how far it may trust its hints.
 */
export const finderOf = (wording: string) => (heldOut("own half", wording, 2) ? 1 - halfOf(wording) : halfOf(wording));

/** The system message for a question, made of a wording. */
export type Hints = (question: string, wording?: string) => string | undefined;

/** @param lookUpOneIn the look-up learns from one of so many wordings */
export function createHints(knowledge: Knowledge, seed: number, lookUpOneIn: number): Hints {
  const isLookedUp = oneIn(lookUpOneIn);
  const finders = [0, 1].map((half) => {
    const isCounted = (wording: string) => isLookedUp(wording) && halfOf(wording) !== half;
    return createFindTopics(shippedTopics(knowledge, seed, new Map(), isCounted));
  });
  return (question, wording = "") => {
    const findTopics = finders[finderOf(wording)];
    return findTopics && hintsFor(question, findTopics(question));
  };
}

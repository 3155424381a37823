/**
 * Shortens a history that is too long, oldest messages first. Calls are removed only together with their results.
 * System messages, the last user message and the last message always stay.
 */
import type { ChatMessage } from "../chat-completion.ts";

/** Indexes of messages that are removed together. */
type Unit = readonly number[];

function groupBy(indexes: readonly number[], begins: (at: number) => boolean): Unit[] {
  const units: number[][] = [];
  for (const at of indexes) {
    const last = units.at(-1);
    if (last === undefined || begins(at)) units.push([at]);
    else last.push(at);
  }
  return units;
}

/** The removable units, in the order of removal. */
export function droppableUnits(messages: readonly ChatMessage[]): Unit[] {
  const roleAt = (at: number) => messages[at]?.role;
  const talk = messages.map((_message, at) => at).filter((at) => roleAt(at) !== "system");
  const question = talk.findLast((at) => roleAt(at) === "user") ?? -1;
  const steps = groupBy(talk, (at) => roleAt(at) !== "tool").slice(0, -1);
  return steps.filter((unit) => !unit.includes(question));
}

/** The messages without the first `count` units, and the number of omitted messages. */
export function withoutUnits(messages: readonly ChatMessage[], units: readonly Unit[], count: number) {
  const gone = new Set(units.slice(0, count).flat());
  return { messages: messages.filter((_message, at) => !gone.has(at)), dropped: gone.size };
}

/**
 * Shortens a history that is too long, oldest messages first. Calls are removed only together with their results.
 * System messages, the last user message and the last message always stay.
 */
import type { ChatMessage } from "../../chat-completion.ts";

/** Indexes of messages that are removed together. */
type Unit = readonly number[];

/** The last result of each message with calls. */
function lastResults(messages: readonly ChatMessage[]): ReadonlyMap<number, number> {
  const callers = new Map<string | undefined, number>();
  const results = new Map<number, number>();
  for (const [at, { role, toolCalls = [], toolCallId }] of messages.entries()) {
    for (const { id } of toolCalls) callers.set(id, at);
    const caller = role === "tool" ? callers.get(toolCallId) : undefined;
    if (caller !== undefined) results.set(caller, at);
  }
  return results;
}

/** Each message with its results, and with what stands between: no unit begins while a call awaits its result. */
function unitsOf(messages: readonly ChatMessage[], talk: readonly number[]): Unit[] {
  const results = lastResults(messages);
  const units: number[][] = [];
  let awaited = -1;
  for (const at of talk) {
    const last = units.at(-1);
    if (last === undefined || (messages[at]?.role !== "tool" && at > awaited)) units.push([at]);
    else last.push(at);
    awaited = Math.max(awaited, results.get(at) ?? -1);
  }
  return units;
}

/** The removable units, in the order of removal. */
export function droppableUnits(messages: readonly ChatMessage[]): Unit[] {
  const roleAt = (at: number) => messages[at]?.role;
  const talk = messages.map((_message, at) => at).filter((at) => roleAt(at) !== "system");
  const question = talk.findLast((at) => roleAt(at) === "user") ?? -1;
  return unitsOf(messages, talk)
    .slice(0, -1)
    .filter((unit) => !unit.includes(question));
}

/** The messages without the first `count` units, and the number of omitted messages. */
export function withoutUnits(messages: readonly ChatMessage[], units: readonly Unit[], count: number) {
  const gone = new Set(units.slice(0, count).flat());
  return { messages: messages.filter((_message, at) => !gone.has(at)), dropped: gone.size };
}

/** Branches of a chat: a changed question or another answer is a new branch, and the old one stays. */
import type { Conversation, Turn } from "./conversation.ts";

type Branched = Pick<Conversation, "turns" | "last">;

/** The index of the turn that this one follows; -1 for a first question. */
export const turnBefore = (turns: readonly Turn[], index: number): number =>
  Math.min(turns[index]?.after ?? index - 1, index - 1);

function pathTo(turns: readonly Turn[], last: number): number[] {
  const path: number[] = [];
  for (let index = last; index >= 0; index = turnBefore(turns, index)) path.unshift(index);
  return path;
}

/** The index of the last turn of the shown branch; -1: nothing is shown. */
export const endOf = ({ turns, last }: Branched): number => Math.min(last ?? turns.length - 1, turns.length - 1);

/** The indexes of the turns of the shown branch, the first question first. */
export const visiblePath = (chat: Branched): number[] => pathTo(chat.turns, endOf(chat));

/** Returns keys for the visible turns and the next one, so that text typed at one version does not appear at another. */
export const turnKeys = (chat: Branched): number[] => [...visiblePath(chat), chat.turns.length];

/** The turns of the shown branch. */
export const visibleTurns = (chat: Branched): Turn[] => visiblePath(chat).flatMap((index) => chat.turns[index] ?? []);

/** Shows only the first `count` turns of the shown branch, so that the next turn begins another one. */
export const cutAfter = <Chat extends Branched>(chat: Chat, count: number): Chat => ({
  ...chat,
  last: visiblePath(chat)[count - 1] ?? -1,
});

/** Adds a turn at the end of the shown branch. */
export function withTurn<Chat extends Branched>(chat: Chat, turn: Turn): Chat {
  const [index, after] = [chat.turns.length, endOf(chat)];
  return { ...chat, turns: [...chat.turns, after === index - 1 ? turn : { ...turn, after }], last: index };
}

/** The indexes of the versions of a turn, itself among them: those that follow the same turn, the oldest first. */
export const versionsOf = (turns: readonly Turn[], index: number): number[] =>
  turns.flatMap((_, other) => (turnBefore(turns, other) === turnBefore(turns, index) ? [other] : []));

/** Shows the branch with this turn, up to its last turn. */
export function showTurn<Chat extends Branched>(chat: Chat, index: number): Chat {
  const last = chat.turns.findLastIndex((_, end) => pathTo(chat.turns, end).includes(index));
  return { ...chat, last };
}

/** Merges a conversation that two pages have changed; all turns of both are kept. */
import { endOf, turnBefore } from "./branches.ts";
import type { Conversation } from "./conversation.ts";

/**
 * Adds what was said here since `base` to what another page has stored since, as branches of it, and shows what is shown
 * here. A title, model or settings that were changed here stay so. `base` absent: nothing is known of what was before.
 */
export function mergeConversations(
  base: Conversation | undefined,
  here: Conversation,
  stored: Conversation,
): Conversation {
  const common = Math.min(base?.turns.length ?? 0, stored.turns.length);
  const shift = stored.turns.length - common;
  const moved = (index: number) => (index < common ? index : index + shift);
  const added = here.turns
    .slice(common)
    .map((turn, position) => ({ ...turn, after: moved(turnBefore(here.turns, common + position)) }));
  const chosen = <Key extends "title" | "model" | "settings">(key: Key) =>
    here[key] === base?.[key] ? { [key]: stored[key] } : {};
  return {
    ...here,
    ...chosen("title"),
    ...chosen("model"),
    ...chosen("settings"),
    turns: [...stored.turns, ...added],
    last: added.length === 0 && here.last === base?.last ? endOf(stored) : moved(endOf(here)),
    changedAt: Math.max(here.changedAt, stored.changedAt),
  };
}

import { useEffect, useEffectEvent } from "react";
import { visiblePath, versionsOf } from "./conversations/branches.ts";
import type { ChatSearch } from "./chat-search.ts";
import type { BegunChat } from "./conversations/chats.ts";
import type { Conversation, Turn } from "./conversations/conversation.ts";
import { useChats } from "./conversations/use-chats.ts";
import type { Versions } from "./transcript/branch-switch.tsx";

/**
 * The conversation in the address, or a new one that starts with the first question. Where the address names none, the
 * newest one is opened once, and stays open when other windows change others meanwhile.
 */
export function useOpenChat(search: ChatSearch, onOpen: (id: string) => void) {
  const { state, chats } = useChats();
  useEffect(() => {
    const load = () => void chats.load();
    load();
    // Another window may have changed them meanwhile.
    window.addEventListener("focus", load);
    return () => window.removeEventListener("focus", load);
  }, [chats]);
  const { begun } = state;
  const begins = search.conversation === "new" || (search.conversation === undefined && search.model !== undefined);
  const isUnnamed = search.conversation === undefined && !begins;
  const stored = isUnnamed ? state.conversations[0] : state.conversations.find(({ id }) => id === search.conversation);
  const openNewest = useEffectEvent(() => onOpen(stored?.id ?? "new"));
  useEffect(() => {
    if (isUnnamed && state.loaded) openNewest();
  }, [isUnnamed, state.loaded]);
  const open: Conversation | Omit<Conversation, "id" | "changedAt"> = stored ?? {
    ...begun,
    model: search.model ?? begun.model,
    turns: [],
  };
  return {
    open,
    draftId: isUnnamed ? "" : (search.conversation ?? "new"),
    drafts: chats.drafts,
    loaded: state.loaded,
    gone: state.loaded && !begins && !stored && search.conversation !== undefined,
    problem: state.problem,
    streaming: stored !== undefined && state.streaming.has(stored.id),
    wait: stored && state.streaming.get(stored.id),
    error: stored && state.errors.get(stored.id),
    change: (change: Partial<BegunChat>) => {
      if (stored) return chats.change(stored.id, change);
      chats.begin(change);
      // This choice replaces the model in the address.
      if (change.model !== undefined && search.model !== undefined) onOpen("new");
    },
    ask: (model: string, after: number, newTurns: readonly Turn[]) => {
      const id = stored?.id ?? chats.create({ settings: begun.settings });
      if (!stored) onOpen(id);
      void chats.ask(id, model, after, newTurns);
    },
    versionsAt: (position: number): Versions | undefined => {
      const index = visiblePath(open)[position];
      if (!stored || index === undefined) return undefined;
      const versions = versionsOf(open.turns, index);
      if (versions.length < 2) return undefined;
      return {
        shown: versions.indexOf(index),
        count: versions.length,
        show: (version) => chats.show(stored.id, versions[version] ?? index),
      };
    },
    stop: () => {
      if (stored) chats.stop(stored.id);
    },
  };
}

export type OpenChat = ReturnType<typeof useOpenChat>;

import { createContext, useContext, useSyncExternalStore } from "react";
import type { Chats, ChatsState } from "./chats.ts";

/** The conversations of the page; made in main.tsx. */
export const ChatsContext = createContext<Chats | undefined>(undefined);

export function useChats(): { state: ChatsState; chats: Chats } {
  const chats = useContext(ChatsContext);
  if (!chats) throw new Error("no ChatsContext above this component");
  return { chats, state: useSyncExternalStore(chats.subscribe, chats.state) };
}

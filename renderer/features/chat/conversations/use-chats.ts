import { useStore } from "zustand";
import { useService } from "../../../ui/services.ts";
import { chatsKey, type Chats, type ChatsState } from "./chats.ts";

export function useChats(): { state: ChatsState; chats: Chats } {
  const chats = useService(chatsKey);
  return { chats, state: useStore(chats.store) };
}

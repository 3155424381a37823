import { useContext, useSyncExternalStore } from "react";
import { ChatSessionContext } from "./chat-session-context.ts";

export function useChat() {
  const session = useContext(ChatSessionContext);
  if (!session) throw new Error("no ChatSessionContext above this component");
  return { session, chat: useSyncExternalStore(session.subscribe, session.chat) };
}

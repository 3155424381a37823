import { createContext } from "react";
import type { ChatSession } from "./chat-session.ts";

/** The one conversation of the page; made in main.tsx. */
export const ChatSessionContext = createContext<ChatSession | undefined>(undefined);

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useContext, useEffect, useSyncExternalStore } from "react";
import { useApi } from "../../api/api-context.ts";
import { ChatSessionContext } from "./chat-session-context.ts";

const retryMs = 2_500;
const key = ["models"];

/** The models that can be chosen. While the service is down it is asked again and again, and at once when it is up. */
export function useModels() {
  const { models, live } = useApi();
  const queries = useQueryClient();
  useEffect(
    () =>
      live.subscribe((events) => {
        const changed = events.some(({ type }) => type === "service.changed" || type.startsWith("model."));
        if (changed) void queries.invalidateQueries({ queryKey: key });
      }),
    [live, queries],
  );
  return useQuery({
    queryKey: key,
    queryFn: ({ signal }) => models.listModels(signal),
    refetchOnMount: "always",
    refetchInterval: (query) => (query.state.status === "error" ? retryMs : false),
  });
}

export function useChat() {
  const session = useContext(ChatSessionContext);
  if (!session) throw new Error("no ChatSessionContext above this component");
  return { session, chat: useSyncExternalStore(session.subscribe, session.chat) };
}

import { useQuery } from "@tanstack/react-query";
import { listRequests } from "../../../server/contract/console/traffic/request-endpoints.ts";
import type { EventName } from "../../../server/contract/console/traffic/events.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnActivity } from "../../api/use-refetch-on-activity.ts";
import { useEventCounts } from "./use-activity.ts";

export type FirstStep = keyof typeof signs | "chat";

/** The event that says that a step has been done. */
const signs = {
  login: "session.created",
  upload: "upload.stored",
  file: "file.changed",
  order: "payment.settled",
} as const satisfies Record<string, EventName>;

const chatPaths = "^/(?:api/chat|v1/(?:chat/completions|messages|responses))$";
const everyMs = 5_000;

/** The first steps in their order, and whether what each leads to has been recorded. */
export function useFirstSteps(): { step: FirstStep; done: boolean }[] {
  const types = useEventCounts()?.types ?? [];
  const chatted = useChatSeen();
  const steps = Object.entries(signs) as [keyof typeof signs, EventName][];
  return [
    ...steps.map(([step, sign]) => ({ step, done: types.some(({ type }) => type === sign) })),
    { step: "chat", done: chatted },
  ];
}

/** Whether an answered chat is recorded; that it is, is asked for once. */
function useChatSeen(): boolean {
  const { call } = useApi();
  const key = ["chat-seen"];
  useRefetchOnActivity(key, everyMs);
  const { data = false } = useQuery({
    queryKey: key,
    refetchOnMount: "always",
    queryFn: async ({ signal, client, queryKey }): Promise<boolean> => {
      if (client.getQueryData(queryKey) === true) return true;
      const query = { service: "model", method: "POST", status: "2xx", path_regex: chatPaths, limit: 1 } as const;
      return (await call(listRequests, { query, signal })).requests.length > 0;
    },
  });
  return data;
}

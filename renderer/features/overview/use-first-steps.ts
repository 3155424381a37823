import { useQuery } from "@tanstack/react-query";
import { listRequests } from "../../../server/contract/console/traffic/request-endpoints.ts";
import type { EventName } from "../../../server/contract/console/traffic/events.ts";
import type { RequestFilter } from "../../../server/contract/console/traffic/requests.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnActivity } from "../../api/events/use-refetch-on-activity.ts";
import { useEventCounts } from "./use-activity.ts";

/** By their sender: the console logs a user in, too, where its page of the API is opened. */
const logins = { service: "app", method: "POST", path: "/api/sessions", sender: "client" } as const;
/** By their path: the model service answers much else with POST. */
const chats = {
  service: "model",
  method: "POST",
  path_regex: "^/(?:api/chat|v1/(?:chat/completions|messages|responses))$",
} as const;
const everyMs = 5_000;

export type FirstStep = "login" | "upload" | "file" | "order" | "chat";

/** The first steps in their order, and whether what each leads to has been recorded. */
export function useFirstSteps(): { step: FirstStep; done: boolean }[] {
  const types = useEventCounts().data?.types ?? [];
  const happened = (name: EventName) => types.some(({ type }) => type === name);
  return [
    { step: "login", done: useRequestSeen(logins) },
    { step: "upload", done: happened("upload.stored") },
    { step: "file", done: happened("file.changed") },
    { step: "order", done: happened("payment.settled") },
    { step: "chat", done: useRequestSeen(chats) },
  ];
}

/** Whether such a request is recorded that was answered; that one is, is asked for once. */
function useRequestSeen(filter: RequestFilter): boolean {
  const { call } = useApi();
  const key = ["request-seen", filter];
  useRefetchOnActivity(key, everyMs);
  const { data = false } = useQuery({
    queryKey: key,
    refetchOnMount: "always",
    queryFn: async ({ signal, client, queryKey }): Promise<boolean> => {
      if (client.getQueryData(queryKey) === true) return true;
      return (await call(listRequests, { query: { ...filter, status: "2xx", limit: 1 }, signal })).requests.length > 0;
    },
  });
  return data;
}

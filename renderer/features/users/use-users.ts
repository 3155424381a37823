import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { listBans } from "../../../server/contract/console/console-endpoints.ts";
import { getUser, listUsers } from "../../../server/contract/console/console-users.ts";
import type { CloudEvent } from "../../../server/contract/console/traffic/stored-event.ts";
import { listRequests } from "../../../server/contract/console/traffic/request-endpoints.ts";
import { getSimAllowances, listSimPeople } from "../../../server/contract/provider/sim-people.ts";
import { isReset } from "../../api/events/resets.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnEvents } from "../../api/events/use-refetch-on-events.ts";
import { nullIfGone } from "../../api/http/console-error.ts";

const pageSize = 100;
const all = ["users"];
/** Limits refetching during bursts of logins. */
const refetchMs = 1_000;

const concerns = (event: CloudEvent): boolean => /^(?:session|user)\./.test(event.type) || isReset(event);

/** Refetches the page's data when sessions or users have changed. Mounted once, by the page. */
export const useUsersSync = (): void => useRefetchOnEvents(all, concerns, refetchMs);

/** The difference between the server's clock and the browser's, in ms. */
const aheadBy = (now: string): number => Date.parse(now) - Date.now();

export function useUserPages(text: string | undefined, enabled = true) {
  const { call } = useApi();
  return useInfiniteQuery({
    queryKey: [...all, "list", text ?? ""],
    enabled,
    refetchOnMount: "always",
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const page = await call(listUsers, { query: { before: pageParam, limit: pageSize, q: text }, signal });
      return { ...page, ahead: aheadBy(page.now) };
    },
    getNextPageParam: ({ users, has_more }) => (has_more ? users.at(-1)?.id : undefined),
  });
}

export function usePeople() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...all, "people"],
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(listSimPeople, { signal }),
  });
}

/** A user with the sessions; null when the user does not exist. */
export function useUser(id: number | undefined) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...all, "one", id],
    enabled: id !== undefined,
    refetchOnMount: "always",
    queryFn: async ({ signal }) => {
      const found = await nullIfGone(call(getUser, { params: { id: id ?? 0 }, signal }));
      return found && { ...found, ahead: aheadBy(found.now) };
    },
  });
}

export function useAllowances(person: string) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...all, "allowances", person],
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(getSimAllowances, { params: { name: person }, signal }),
  });
}

export function useBans() {
  const { call } = useApi();
  return useQuery({
    queryKey: [...all, "bans"],
    refetchOnMount: "always",
    queryFn: async ({ signal }) => (await call(listBans, { signal })).bans,
  });
}

const recentRequests = 100;

/** The addresses of the user's latest requests. */
export function useAddresses(uid: string) {
  const { call } = useApi();
  return useQuery({
    queryKey: [...all, "addresses", uid],
    refetchOnMount: "always",
    queryFn: async ({ signal }) => {
      const { requests } = await call(listRequests, { query: { uid, limit: recentRequests }, signal });
      const seen = new Map<string, { address: string; time: string; count: number }>();
      for (const { client, time } of requests) {
        const known = seen.get(client);
        seen.set(client, { address: client, time: known?.time ?? time, count: (known?.count ?? 0) + 1 });
      }
      return [...seen.values()];
    },
  });
}

import { useQuery } from "@tanstack/react-query";
import type { NamedKind } from "./name-loader.ts";
import { useApi } from "../use-api.ts";
import { useRefetchOnEvents } from "../events/use-refetch-on-events.ts";

const nameKey = ["name"];
/** An event reports a change. An unknown name is requested again after this time. */
const staleMs = 60_000;

export interface Named {
  readonly kind: NamedKind;
  readonly id: string;
}

/** The name of a thing; undefined while it is unknown, and when it has none. */
export function useName(named: Named | undefined): string | undefined {
  const { names } = useApi();
  const { data } = useQuery({
    queryKey: [...nameKey, named?.kind, named?.id],
    enabled: named !== undefined,
    staleTime: staleMs,
    queryFn: () => (named ? names.load(named.kind, named.id) : null),
  });
  return data ?? undefined;
}

/** What people call a user, or the uid. */
export const useUserName = (uid: string | undefined): string | undefined =>
  useName(uid === undefined ? undefined : { kind: "users", id: uid.slice(1) }) ?? uid;

/** Refetches the visible names when one may have changed. */
export function useFreshNames(): void {
  useRefetchOnEvents(nameKey, ({ type }) => type === "user.updated" || type === "resource.updated");
}

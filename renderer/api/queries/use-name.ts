import { useQuery } from "@tanstack/react-query";
import type { NamedKind } from "./name-loader.ts";
import { useApi } from "../use-api.ts";
import { useRefetchOnEvents } from "../events/use-refetch-on-events.ts";

const nameKey = ["name"];
/** A change is told by an event; what is unknown then is soon. */
const staleMs = 60_000;

export interface Named {
  readonly kind: NamedKind;
  readonly id: string;
}

/** What people call a thing; undefined while that is not known, and when it has no name. */
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

/** Asks again for the names that are shown when one may have changed. */
export function useFreshNames(): void {
  useRefetchOnEvents(nameKey, ({ type }) => type === "user.updated" || type === "resource.updated");
}

import { useQuery } from "@tanstack/react-query";
import { listSimPeople } from "../../../../server/contract/provider/sim-people.ts";
import { useUserName } from "../../../api/queries/use-user-name.ts";
import { useApi } from "../../../api/use-api.ts";
import type { ListedOrder } from "./order-row.ts";

/** A person who is missing may be new: they are fetched again after this time. */
const staleMs = 60_000;

/** The name of the simulated person with this openid, or the openid itself: other programs may use any. */
function usePersonName(openid: string | undefined): string | undefined {
  const { call } = useApi();
  const { data } = useQuery({
    queryKey: ["order-people"],
    enabled: openid !== undefined,
    staleTime: staleMs,
    queryFn: async ({ signal }) =>
      new Map((await call(listSimPeople, { signal })).map((person) => [person.openid, person.name])),
  });
  return (openid === undefined ? undefined : data?.get(openid)) ?? openid;
}

/** Who placed or pays an order: Hearth's user, or the simulated person. */
export function BuyerName({
  row,
  className,
}: {
  row: Pick<ListedOrder, "uid" | "openid">;
  className?: string | undefined;
}) {
  const user = useUserName(row.uid);
  const person = usePersonName(row.uid === undefined ? row.openid : undefined);
  const name = user ?? person;
  return (
    <span className={className} title={row.uid ?? row.openid}>
      {name}
    </span>
  );
}

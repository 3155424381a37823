import { useQuery } from "@tanstack/react-query";
import { failureOf } from "./ask-server.ts";
import type { SimulatedPhone } from "../phone.ts";
import type { Tap } from "../phone-state.ts";

/** Data of a screen of the app: fetched when it is first opened, kept, and refetched by `reload`. */
export function useAppQuery<Data>(phone: SimulatedPhone, what: Tap, load: () => Promise<Data>) {
  const queryKey = ["phone", phone.user, what];
  const { data, error, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: ({ client }) => {
      if (client.getQueryData(queryKey) === undefined) phone.tap(what);
      return load();
    },
  });
  return {
    data,
    failure: error === null || isFetching ? undefined : failureOf(error),
    loading: isFetching,
    /** The person requests a refetch. */
    reload: () => {
      if (data !== undefined) phone.tap(what);
      void refetch();
    },
    /** The app requests a refetch after a change. */
    refresh: refetch,
  };
}

import { useQuery } from "@tanstack/react-query";
import type { Call } from "../http/call.ts";
import { useApi } from "../use-api.ts";
import { createNameLoader, type LoadName } from "./name-loader.ts";

/** A name is requested again after this time. */
const staleMs = 60_000;
/** One loader for each connection: the rows of a table share its requests. */
const loaders = new WeakMap<Call, LoadName>();

/** The display name of a user, or the uid without one. */
export function useUserName(uid: string | undefined): string | undefined {
  const { call } = useApi();
  const { data } = useQuery({
    queryKey: ["name", uid],
    enabled: uid !== undefined,
    staleTime: staleMs,
    queryFn: () => (uid === undefined ? null : loaderOf(call)(uid.slice(1))),
  });
  return data ?? uid;
}

function loaderOf(call: Call): LoadName {
  const loader = loaders.get(call) ?? createNameLoader(call);
  loaders.set(call, loader);
  return loader;
}

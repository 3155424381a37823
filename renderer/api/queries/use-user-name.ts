import { useQuery } from "@tanstack/react-query";
import { useApi } from "../use-api.ts";

/** A name is requested again after this time. */
const staleMs = 60_000;

/** The display name of a user, or the uid without one. */
export function useUserName(uid: string | undefined): string | undefined {
  const { loadName } = useApi();
  const { data } = useQuery({
    queryKey: ["name", uid],
    enabled: uid !== undefined,
    staleTime: staleMs,
    queryFn: () => (uid === undefined ? null : loadName(uid.slice(1))),
  });
  return data ?? uid;
}

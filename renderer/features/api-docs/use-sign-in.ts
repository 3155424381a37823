import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { createToken } from "../../../server/contract/console/console-endpoints.ts";
import { consolePerson } from "../../../server/contract/provider/internal-people.ts";
import { endsSession, tokensKey } from "../../api/events/resets.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnEvents } from "../../api/events/use-refetch-on-events.ts";

export interface SignIn {
  /** The user whose session the tried operations use. */
  readonly user: string;
  readonly setUser: (user: string) => void;
  readonly token: string | undefined;
  readonly error: Error | null;
}

const longestMs = 60 * 60_000;
/** Sessions that end one after another, as those of a client's tests, are not followed by a login each. */
const everyMs = 1_000;

/** How long a token is used from its arrival on. */
const goodForMs = ({ state: { data } }: { state: { data: { expires_in: number } | undefined } }) =>
  Math.min((data?.expires_in ?? 0) * 1_000, longestMs);

/** Logs a simulated user in, so that operations can be tried at once. A user keeps the session until it ends or is old. */
export function useSignIn(): SignIn {
  const { call } = useApi();
  const [user, setUser] = useState(consolePerson);
  useRefetchOnEvents([tokensKey], endsSession, everyMs);
  const { data, error } = useQuery({
    queryKey: [tokensKey, user],
    staleTime: goodForMs,
    gcTime: longestMs,
    refetchOnWindowFocus: true,
    refetchInterval: (query) => query.state.data && query.state.dataUpdatedAt + goodForMs(query) - Date.now(),
    queryFn: () => call(createToken, { body: { user } }),
  });
  return { user, setUser, token: data?.access_token, error };
}

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { createToken } from "../../../server/contract/console/console-endpoints.ts";
import { useApi } from "../../api/use-api.ts";

export interface SignIn {
  /** Whose session the tried operations use. */
  readonly user: string;
  readonly setUser: (user: string) => void;
  readonly token: string | undefined;
  readonly error: Error | null;
}

/** Tokens last two hours unless a setting changes that; this is shorter than most people stay with an operation. */
const goodForMs = 60 * 60_000;

/** Logs a simulated user in, so that operations can be tried at once. A user keeps the session until it is old. */
export function useSignIn(): SignIn {
  const { call } = useApi();
  const [user, setUser] = useState("console");
  const { data, error } = useQuery({
    queryKey: ["api-docs", "token", user],
    staleTime: goodForMs,
    gcTime: goodForMs,
    queryFn: async () => (await call(createToken, { body: { user } })).access_token,
  });
  return { user, setUser, token: data, error };
}

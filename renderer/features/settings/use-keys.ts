import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createKey, deleteKey, listKeys } from "../../../server/contract/console/key-endpoints.ts";
import type { KeyScope, NewKey } from "../../../server/contract/process/access-keys.ts";
import { useApi } from "../../api/use-api.ts";
import { refetch } from "../../ui/refetch.ts";
import { useOnReturn } from "../../ui/use-on-return.ts";

const key = ["keys"];

/** The text of each scope: a colon would divide the key of a text. */
export const scopeTexts = {
  "model:use": "modelUse",
  "model:manage": "modelManage",
  control: "control",
  "metrics:read": "metricsRead",
} as const satisfies Record<KeyScope, string>;

/** The keys as they are; a command or another tab may change them while the page is open. */
export function useKeys() {
  const { call } = useApi();
  const queries = useQueryClient();
  useOnReturn(() => void refetch(queries, key));
  return useQuery({ queryKey: key, refetchOnMount: "always", queryFn: ({ signal }) => call(listKeys, { signal }) });
}

/** Makes a key; the page forgets it with `reset`. */
export function useCreateKey() {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    gcTime: 0,
    mutationFn: (body: NewKey) => call(createKey, { body }),
    onSuccess: () => refetch(queries, key),
  });
}

export function useRemoveKey() {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(deleteKey, { params: { id } }),
    onSettled: () => refetch(queries, key),
  });
}

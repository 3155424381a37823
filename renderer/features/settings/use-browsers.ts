import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { deleteBrowser, listBrowsers } from "../../../server/contract/console/console-logins.ts";
import { useApi } from "../../api/use-api.ts";
import { refetch } from "../../ui/refetch.ts";
import { useOnReturn } from "../../ui/use-on-return.ts";

const key = ["browsers"];

/** The browsers that are logged in; another one may log in while the page is open. */
export function useBrowsers() {
  const { call } = useApi();
  const queries = useQueryClient();
  useOnReturn(() => void refetch(queries, key));
  return useQuery({ queryKey: key, refetchOnMount: "always", queryFn: ({ signal }) => call(listBrowsers, { signal }) });
}

export function useRemoveBrowser() {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => call(deleteBrowser, { params: { id } }),
    onSettled: () => refetch(queries, key),
  });
}

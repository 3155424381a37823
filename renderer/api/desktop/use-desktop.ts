import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { DesktopChange } from "../../../server/contract/console/machine/desktop.ts";
import { hearthWindow } from "./hearth-window.ts";
import { refetch } from "../../ui/refetch.ts";

const key = ["desktop"];

/** The settings of the desktop program; null in a browser. */
export function useDesktop() {
  return useQuery({ queryKey: key, queryFn: async () => (await hearthWindow?.desktop()) ?? null });
}

export function useChangeDesktop() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (change: DesktopChange) => hearthWindow?.changeDesktop(change),
    onSettled: () => refetch(queries, key),
  });
}

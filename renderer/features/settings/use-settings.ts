import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  listSettings,
  updateSettings,
  type SettingsPage,
  type SettingView,
} from "../../../server/contract/console/setting-endpoints.ts";
import { useApi } from "../../api/use-api.ts";

const key = ["settings"];

/** The value of a setting; null removes it from the configuration file. */
export type SettingValue = Exclude<SettingView["value"], undefined> | null;

export function useSettings() {
  const { call } = useApi();
  return useQuery({ queryKey: key, refetchOnMount: "always", queryFn: ({ signal }) => call(listSettings, { signal }) });
}

/** Writes settings into the configuration file, all or none. */
export function useChangeSettings() {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: Record<string, SettingValue>) => call(updateSettings, { body: { values } }),
    onSuccess: (page) => queries.setQueryData<SettingsPage>(key, page),
  });
}

import type { ServiceStatus } from "../../../server/contract/process/services.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getOverview } from "../../../server/contract/console/console-endpoints.ts";
import {
  listSettings,
  restartForSettings,
  updateSettings,
  type SettingsPage,
  type SettingView,
} from "../../../server/contract/console/setting-endpoints.ts";
import { useApi } from "../../api/use-api.ts";
import { useRefetchOnEvents } from "../../api/events/use-refetch-on-events.ts";
import { refetch } from "../../ui/refetch.ts";
import { useOnReturn } from "../../ui/use-on-return.ts";

const key = ["settings"];

/** The value of a setting; null removes it from the configuration file. */
export type SettingValue = Exclude<SettingView["value"], undefined> | null;

/**
 * The settings as they are; a command, an editor or another tab may change them while the page is open, and what is pending
 * counts once a service has restarted.
 */
export function useSettings() {
  const { call } = useApi();
  const queries = useQueryClient();
  useOnReturn(() => void refetch(queries, key));
  useRefetchOnEvents(key, ({ type }) => type === "service.changed");
  return useQuery({ queryKey: key, refetchOnMount: "always", queryFn: ({ signal }) => call(listSettings, { signal }) });
}

const askAgainMs = 300;
const patienceMs = 30_000;

/** Restarts the services that use settings which are pending, and waits until they answer again. */
export function useRestartForSettings() {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    async mutationFn() {
      const before = (await call(getOverview)).services;
      const { services } = await call(restartForSettings);
      const isBack = ({ name, state, since }: ServiceStatus) =>
        !services.includes(name) ||
        (settled.has(state) && before.some((old) => old.name === name && old.since !== since));
      const until = Date.now() + patienceMs;
      while (Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, askAgainMs));
        // The application server does not answer while it restarts.
        const overview = await call(getOverview).catch(() => undefined);
        if (overview?.services.every(isBack)) break;
      }
      return call(listSettings);
    },
    onSuccess: (page) => queries.setQueryData<SettingsPage>(key, page),
  });
}

const settled: ReadonlySet<string> = new Set(["up", "external", "down"]);

/** Writes settings into the configuration file, all or none. */
export function useChangeSettings() {
  const { call } = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (values: Record<string, SettingValue>) => call(updateSettings, { body: { values } }),
    onSuccess: (page) => queries.setQueryData<SettingsPage>(key, page),
  });
}

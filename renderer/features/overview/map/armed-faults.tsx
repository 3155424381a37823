import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Zap } from "lucide-react";
import { useTranslation } from "react-i18next";
import { z } from "zod";
import { useApi } from "../../../api/use-api.ts";
import { useRefetchOnActivity } from "../../../api/use-refetch-on-activity.ts";
import classes from "./live-map.module.css";

/** How many faults are armed, by where they bite: the application's routes, the provider's answers, its notifications. */
export interface ArmedFaults {
  readonly route: number;
  readonly provider: number;
  readonly notification: number;
}

const armedSchema = z.object({ faults: z.array(z.object({ kind: z.string().optional(), spent: z.boolean() })) });
/** What the map needs of the two lists; their whole schemas would weigh on the console's first page. */
const faultsAt = (path: string) => ({ method: "GET", path, data: armedSchema }) as const;

const key = ["armed-faults"];
const everyMs = 2_000;
const none: ArmedFaults = { route: 0, provider: 0, notification: 0 };

export function useArmedFaults(): ArmedFaults {
  const { call } = useApi();
  useRefetchOnActivity(key, everyMs);
  const { data = none } = useQuery({
    queryKey: key,
    refetchOnMount: "always",
    queryFn: async ({ signal }): Promise<ArmedFaults> => {
      const [routes, sim] = await Promise.all([
        call(faultsAt("/console/api/faults"), { signal }),
        // The provider may be down, which the map shows by itself.
        call(faultsAt("/sim/faults"), { signal }).catch(() => ({ faults: [] })),
      ]);
      const armed = sim.faults.filter(({ spent }) => !spent).map(({ kind }) => isOfNotification(kind));
      const notification = armed.filter(Boolean).length;
      return {
        route: routes.faults.filter(({ spent }) => !spent).length,
        provider: armed.length - notification,
        notification,
      };
    },
  });
  return data;
}

const isOfNotification = (kind = "") => kind.startsWith("notification_");

/** That faults are armed here, with the way to them. */
export function ArmedMark({ count }: { count: number }) {
  const { t } = useTranslation();
  const text = t("overview.map.armed", { count });
  return (
    <Link to="/faults" className={classes.armed} title={text} aria-label={text}>
      <Zap size={11} aria-hidden fill="currentColor" />
      {count}
    </Link>
  );
}

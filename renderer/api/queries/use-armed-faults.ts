import { useQuery } from "@tanstack/react-query";
import { z } from "zod";
import { useApi } from "../use-api.ts";
import { useRefetchOnActivity } from "../events/use-refetch-on-activity.ts";

/** How many faults are armed, by where they bite: the application's routes, the provider's answers, its notifications. */
export interface ArmedFaults {
  readonly route: number;
  readonly provider: number;
  readonly notification: number;
}

const armedSchema = z.object({ faults: z.array(z.object({ kind: z.string().optional(), spent: z.boolean() })) });
/** The counted part of the two lists; their whole schemas would slow every page down. */
const faultsAt = (path: string) => ({ method: "GET", path, data: armedSchema }) as const;

/** Begins like the key of the lists of faults, so that both are refetched together. */
const key = ["faults", "armed"];
const everyMs = 2_000;
const none: ArmedFaults = { route: 0, provider: 0, notification: 0 };

/** The faults that can still hit a request. Refetched on activity, so that an idle page requests nothing. */
export function useArmedFaults(): ArmedFaults {
  const { call } = useApi();
  useRefetchOnActivity(key, everyMs);
  const { data = none } = useQuery({
    queryKey: key,
    queryFn: async ({ signal }): Promise<ArmedFaults> => {
      const [routes, sim] = await Promise.all([
        call(faultsAt("/console/api/faults"), { signal }),
        // The provider may be down, which the page shows elsewhere.
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

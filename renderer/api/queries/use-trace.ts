import { useQuery } from "@tanstack/react-query";
import { listRequests } from "../../../server/contract/console/traffic/request-endpoints.ts";
import type { RecordedSummary } from "../../../server/contract/console/traffic/requests.ts";
import { useApi } from "../use-api.ts";

const most = 500;

/** The recorded requests of a trace, the newest first. */
export function useTrace(trace: string | undefined): readonly RecordedSummary[] {
  const { call } = useApi();
  const { data } = useQuery({
    queryKey: ["requests-trace", trace],
    enabled: trace !== undefined,
    refetchOnMount: "always",
    queryFn: ({ signal }) => call(listRequests, { query: { trace, limit: most }, signal }),
  });
  return data?.requests ?? [];
}

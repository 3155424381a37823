import { useMutation } from "@tanstack/react-query";
import { restartService } from "../../../../server/contract/console/console-endpoints.ts";
import type { ServiceName } from "../../../../server/contract/process/services.ts";
import { useApi } from "../../../api/use-api.ts";

/** Requests a restart of a service; the result shows in its state. */
export function useRestart(name: ServiceName) {
  const { call } = useApi();
  return useMutation({
    mutationFn: (port?: number) => call(restartService, { params: { name }, body: port === undefined ? {} : { port } }),
  });
}

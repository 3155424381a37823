import { useMutation } from "@tanstack/react-query";
import { restartService } from "../../../server/contract/console/console-endpoints.ts";
import type { ServiceName } from "../../../server/contract/process/services.ts";
import { useApi } from "../../api/use-api.ts";

/** Asks for a restart of a service; what becomes of it arrives as its changing state. */
export function useRestart(name: ServiceName) {
  const { call } = useApi();
  return useMutation({
    mutationFn: (port?: number) => call(restartService, { params: { name }, body: port === undefined ? {} : { port } }),
  });
}

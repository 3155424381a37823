import { useMutation } from "@tanstack/react-query";
import type { ServiceName } from "../../../server/contract/services.ts";
import { useApi } from "../../api/api-context.ts";

/** Asks for a restart of a service; what becomes of it arrives as its changing state. */
export function useRestart(name: ServiceName) {
  const { client } = useApi();
  return useMutation({ mutationFn: (port?: number) => client.restartService(name, port) });
}

/** Reads and loads the state of the provider simulator over HTTP. */
import {
  providerStateCounts,
  providerStateSchema,
  type ProviderState,
} from "../../contract/provider/provider-state.ts";
import { HttpError, refuse } from "../../http/http-error.ts";
import { callService } from "../../http/outgoing/call-service.ts";

export type SimulatorState = ReturnType<typeof createSimulatorState>;

/** The number of entries of each kind. */
export const countIn = ({ parts }: ProviderState): number =>
  sum(Object.values(parts).map((tables) => Object.values(tables)[0]?.rows.length ?? 0));

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/**
 * All functions throw HttpError 503 when the simulator does not answer.
 * @param simulator its base URL
 */
export function createSimulatorState(simulator: () => string) {
  async function call(method: "GET" | "PUT" | "DELETE", state?: unknown): Promise<unknown> {
    const url = `${simulator()}/sim/state`;
    const response = await callService(url, { method, body: state }).catch((cause: unknown) => {
      throw refuse("provider.down", undefined, { retryAfter: 1, cause });
    });
    const body: unknown = JSON.parse(response.text);
    if (response.ok) return body;
    const { code = "provider_failed", Message = "" } = body as { code?: string; Message?: string };
    throw new HttpError(response.status, code, Message);
  }

  return {
    save: async () => providerStateSchema.parse(await call("GET")),
    /** All or nothing. @throws HttpError with the simulator's message when it refuses the state */
    load: async (state: unknown) => void (await call("PUT", state)),
    /** Returns the number of removed entries. */
    clear: async () => sum(Object.values(providerStateCounts.parse(await call("DELETE")).parts)),
  };
}

/** The names of the simulator's people by openid, which tell users apart in the console. */
import { z } from "zod";
import { byConsoleHeader } from "../../contract/console/console.ts";
import { simUserSchema } from "../../contract/provider/provider.ts";

const peopleSchema = z.array(simUserSchema.pick({ name: true, openid: true }));
const timeoutMs = 5_000;

/** Names by openid; none while the simulator does not answer. `url`: its base URL. */
export function simulatedPeople(url: () => string): () => Promise<ReadonlyMap<string, string>> {
  return async () => {
    try {
      const response = await fetch(`${url()}/sim/users`, {
        headers: { [byConsoleHeader]: "1" },
        signal: AbortSignal.timeout(timeoutMs),
      });
      return new Map(peopleSchema.parse(await response.json()).map(({ name, openid }) => [openid, name]));
    } catch {
      return new Map();
    }
  };
}

import { z } from "zod";
import { byConsoleHeader } from "../contract/console/by-console.ts";
import { listFaults } from "../contract/console/control/control-endpoints.ts";
import { consoleAccess } from "./console-access.ts";
import type { ReadyFileContent } from "./ready-file.ts";

const answerWithinMs = 2_000;
const armedSchema = z.object({ faults: z.array(z.object({ spent: z.boolean() })) });

/** The number of faults of a run that can still hit a request. Those of a service that does not answer are not counted. */
export async function countArmedFaults({ app, provider, console }: ReadyFileContent): Promise<number> {
  // Not recorded, like the calls of the console's page. An idle connection would take the place of a client's.
  const headers = {
    Authorization: `Bearer ${consoleAccess(console).token}`,
    [byConsoleHeader]: "1",
    Connection: "close",
  };
  const count = async (url: string) => {
    const reply = await fetch(url, { headers, signal: AbortSignal.timeout(answerWithinMs) });
    return armedSchema.parse(await reply.json()).faults.filter(({ spent }) => !spent).length;
  };
  const counts = [`${app}${listFaults.path}`, `${provider}/sim/faults`].map((url) => count(url).catch(() => 0));
  return (await Promise.all(counts)).reduce((sum, one) => sum + one, 0);
}

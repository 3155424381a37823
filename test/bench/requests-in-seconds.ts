import { createRequire } from "node:module";

interface Result {
  requests: { total: number };
  non2xx: number;
  errors: number;
}
/** What is asked for again and again. */
export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly method?: "POST";
  readonly body?: string;
}
type Autocannon = (options: Load & { connections: number; duration: number }) => Promise<Result>;
const autocannon = createRequire(import.meta.url)("autocannon") as Autocannon;

/**
 * How many are answered in so many seconds, to so many clients at a time.
 * @throws when an answer was no success: a refusal is fast, and no figure
 */
export async function requestsInSeconds(load: Load, seconds: number, connections = 32): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({ ...load, connections, duration: seconds });
  if (non2xx + errors > 0)
    throw new Error(`${load.url}: ${String(non2xx)} answers were no success, ${String(errors)} errors`);
  return requests.total;
}

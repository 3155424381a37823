import { createRequire } from "node:module";

interface Result {
  requests: { average: number };
  non2xx: number;
  errors: number;
}
type Autocannon = (options: {
  url: string;
  headers: Record<string, string>;
  connections: number;
  duration: number;
}) => Promise<Result>;
const autocannon = createRequire(import.meta.url)("autocannon") as Autocannon;

/** @throws when an answer was no success: a refusal is fast, and no figure */
export async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({ url, headers, connections: 32, duration: 3 });
  if (non2xx + errors > 0)
    throw new Error(`${url}: ${String(non2xx)} answers were no success, ${String(errors)} errors`);
  return requests.average;
}

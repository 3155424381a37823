/** The health check of every service: GET /healthz, over TCP or a local socket. */
import { request } from "node:http";

export type HealthTarget = { url: string } | { socketPath: string };

/** True when the target answers 200 in time; never rejects. */
export function checkHealth(target: HealthTarget, timeoutMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  // A connection of its own: a pooled one would outlive a killed service, and the check would test the pool.
  const options = { agent: false, timeout: timeoutMs };
  const asked =
    "url" in target
      ? request(new URL("/healthz", target.url), options)
      : request({ ...options, path: "/healthz", socketPath: target.socketPath });
  asked.on("response", (response) => {
    response.resume();
    resolve(response.statusCode === 200);
  });
  asked.on("timeout", () => asked.destroy());
  asked.on("error", () => resolve(false));
  asked.on("close", () => resolve(false));
  asked.end();
  return promise;
}

/** True when all of them answer. */
export async function allHealthy(targets: readonly HealthTarget[], timeoutMs: number): Promise<boolean> {
  const answers = await Promise.all(targets.map((target) => checkHealth(target, timeoutMs)));
  return answers.every(Boolean);
}

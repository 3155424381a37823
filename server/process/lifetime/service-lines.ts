import type { ServiceName } from "../../contract/process/services.ts";
import type { ParentLink } from "./parent-link.ts";

/** The supervisor answers at once; without an answer there is nothing to show. */
const waitMs = 2_000;

/** Requests the last lines of a service from the supervisor, oldest first; none without a supervisor. */
export function createLineReader(link: ParentLink): (service: ServiceName) => Promise<readonly string[]> {
  const waiting = new Map<ServiceName, Set<(lines: readonly string[]) => void>>();
  link.onMessage((message) => {
    if (message.type !== "lines") return;
    for (const answer of waiting.get(message.service) ?? []) answer(message.lines);
    waiting.delete(message.service);
  });
  return async (service) => {
    if (!link.hasParent) return [];
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    waiting.set(service, (waiting.get(service) ?? new Set()).add(resolve));
    link.send({ type: "lines", service });
    const timer = setTimeout(resolve, waitMs, []);
    const lines = await promise;
    clearTimeout(timer);
    return lines;
  };
}

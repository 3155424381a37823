import type { ToService } from "../../contract/process/process-messages.ts";
import type { ParentLink } from "./parent-link.ts";

type Trial = Extract<ToService, { type: "trial" }>;

/** Requests a trial load of a model's header from the supervisor. Without a supervisor, nothing is tried. */
export function createTrialRequests(link: ParentLink) {
  const waiting = new Map<string, PromiseWithResolvers<Trial>>();
  link.onMessage((message) => {
    if (message.type !== "trial") return;
    waiting.get(message.file)?.resolve(message);
    waiting.delete(message.file);
  });
  return async (file: string): Promise<Pick<Trial, "reason">> => {
    if (!link.hasParent) return {};
    let asked = waiting.get(file);
    if (!asked) {
      waiting.set(file, (asked = Promise.withResolvers<Trial>()));
      link.send({ type: "trial", file });
    }
    return asked.promise;
  };
}

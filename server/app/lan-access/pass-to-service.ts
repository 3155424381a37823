import type { IncomingMessage, ServerResponse } from "node:http";
import { passedOnHeader } from "../../contract/console/console.ts";
import { isForwardingHeader, callerHeaders } from "../../http/connection/peer/caller.ts";
import { refuse } from "../../http/http-error.ts";
import { ofConnection, passOn, serviceDown, withoutHeaders } from "../../http/outgoing/pass-on.ts";

const replaced = new Set([...ofConnection, "expect", passedOnHeader]);
const isOfConnection = (name: string) => ofConnection.includes(name);

/**
 * Passes a device's request on to another service as it was sent, and its reply back. Forwarding headers are left out: only
 * Hearth may name the caller to the service.
 * @param token the run's console token
 * @param passesResets see `passOn`
 * @throws HttpError 503 when the service does not answer
 */
export function passToService(baseUrl: () => string | undefined, token: string, { passesResets = false } = {}) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const [to, path = ""] = [baseUrl(), req.url];
    if (to === undefined) throw serviceDown();
    if (!path.startsWith("/")) throw refuse("device.noPath");
    await passOn(req, res, {
      to: new URL(to),
      path,
      headers: {
        ...withoutHeaders((name) => replaced.has(name) || isForwardingHeader(name), req),
        ...callerHeaders(req, token),
      },
      answerHeaders: (reply) => withoutHeaders(isOfConnection, reply),
      passesResets,
    });
  };
}

/** Tells Hearth's own requests from those of clients, by what their senders leave in them. */
import { fileEventIdHeader } from "../../contract/app/file-events.ts";
import { byConsoleHeader } from "../../contract/console/by-console.ts";
import type { RequestSender } from "../../contract/console/traffic/requests.ts";
import { hearthAgent } from "../../http/outgoing/agent-name.ts";
import type { Exchange } from "../../http/recording/request-recorder.ts";
import { pathOfTarget, valueIn } from "./exchange-parts.ts";

const notifications = /^\/api\/payments\/(?:refund-)?notifications\/?$/i;
/** The provider's user agent in notifications, real or simulated. */
const notifierAgent = "Mozilla/4.0";
const fileEvents = /^\/api\/inotify\/?$/i;

export function senderOf({ service, target, requestHeaders }: Exchange): RequestSender {
  const sent = (name: string) => valueIn(requestHeaders, name);
  if (sent(byConsoleHeader) !== "") return "console";
  if (service === "provider") return sent("user-agent") === hearthAgent ? "app" : "client";
  if (service === "model") return "client";
  const path = pathOfTarget(target);
  if (notifications.test(path) && sent("user-agent") === notifierAgent) return "provider";
  if (fileEvents.test(path) && sent(fileEventIdHeader.toLowerCase()) !== "") return "watcher";
  return "client";
}

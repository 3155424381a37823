import type { IncomingMessage, RequestListener } from "node:http";
import type { LanService } from "../../contract/console/machine/lan-access-endpoints.ts";
import { message } from "../../contract/messages/message.ts";
import { portOf } from "../../contract/own-url.ts";
import type { ServiceStatus } from "../../contract/process/services.ts";
import { cors } from "../../http/conventions/cors.ts";
import { isForwardingHeader } from "../../http/connection/peer/caller.ts";
import type { ServiceBehind } from "./lan-access.ts";
import { passToService } from "./pass-to-service.ts";

export interface ServiceDeps {
  /** This server, while it listens. */
  readonly app: () => { readonly port: number; readonly handler: RequestListener } | undefined;
  readonly providerUrl: string;
  readonly modelUrl: () => string | undefined;
  /** The processes of the run. */
  readonly services: () => readonly ServiceStatus[];
  /** The run's console token. */
  readonly consoleToken: string;
  /** The setting cors_origins. */
  readonly corsOrigins: readonly string[];
}

/** Removes forwarding headers: a device is no proxy, whatever the settings trust. */
function withoutForwarding(req: IncomingMessage): IncomingMessage {
  for (const name in req.headers) if (isForwardingHeader(name)) delete req.headers[name];
  return req;
}

/** The services for devices. Each has the same port for them as on this machine. */
export function offeredServices(deps: ServiceDeps): Readonly<Record<LanService, ServiceBehind>> {
  const { app, providerUrl, consoleToken: token, corsOrigins } = deps;
  const modelState = () => deps.services().find(({ name }) => name === "model")?.state;
  // An Ollama of the user's own must not get the token, and has a setting for this itself.
  const modelUrl = () => (modelState() === "external" ? undefined : deps.modelUrl());
  return {
    app: {
      port: () => app()?.port,
      before: cors(corsOrigins), // so that a page may read why its device is refused
      pass: (req, res) => app()?.handler(withoutForwarding(req), res),
      absence: () => message("lan.appDown"),
    },
    provider: {
      port: () => portOf(providerUrl),
      pass: passToService(() => providerUrl, token, { passesResets: true }),
      absence: () => undefined,
    },
    model: {
      port() {
        const url = modelUrl();
        return url === undefined ? undefined : portOf(url);
      },
      pass: passToService(modelUrl, token),
      absence: () =>
        modelState() === "starting" || modelState() === "restarting" ? undefined : message("lan.modelDown"),
    },
  };
}

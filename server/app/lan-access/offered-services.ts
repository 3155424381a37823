import type { IncomingMessage, RequestListener } from "node:http";
import type { LanService } from "../../contract/console/machine/lan-access-endpoints.ts";
import { portOf } from "../../contract/own-url.ts";
import type { ServiceStatus } from "../../contract/process/services.ts";
import { cors } from "../../http/conventions/cors.ts";
import { isForwardingHeader } from "../../http/connection/peer/caller.ts";
import type { ServiceBehind } from "./lan-access.ts";
import { passToService } from "./pass-to-service.ts";

interface Deps {
  /** This very server, while it listens. */
  readonly app: () => { readonly port: number; readonly handler: RequestListener } | undefined;
  readonly providerUrl: string;
  readonly modelUrl: () => string | undefined;
  /** The processes of the run. */
  readonly services: () => readonly ServiceStatus[];
  /** The run's console token. */
  readonly token: string;
  /** The setting cors_origins. */
  readonly corsOrigins: readonly string[];
}

/** What a device says of the way that its request came is left out: it is no proxy, whatever the settings trust. */
function withoutWay(req: IncomingMessage): IncomingMessage {
  for (const name in req.headers) if (isForwardingHeader(name)) delete req.headers[name];
  return req;
}

/** The services that devices may be offered. Each listens for them at the port that it has on this machine. */
export function offeredServices(deps: Deps): Readonly<Record<LanService, ServiceBehind>> {
  const { app, providerUrl, token, corsOrigins } = deps;
  const modelState = () => deps.services().find(({ name }) => name === "model")?.state;
  // An Ollama of the user's own must not get the token, and has a setting for this itself.
  const modelUrl = () => (modelState() === "external" ? undefined : deps.modelUrl());
  return {
    app: {
      port: () => app()?.port,
      before: cors(corsOrigins), // so that a page may read why its device is refused
      pass: (req, res) => app()?.handler(withoutWay(req), res),
      absence: () => "The application server does not answer.",
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
        modelState() === "starting" || modelState() === "restarting"
          ? undefined
          : "Hearth's model service does not answer; another Ollama has its own setting, OLLAMA_HOST.",
    },
  };
}

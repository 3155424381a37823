import { createServer, type RequestListener, type Server } from "node:http";
import { ownUrl } from "../../contract/own-url.ts";
import { takingAbsoluteTargets } from "./absolute-target.ts";
import type { Logger } from "pino";
import { createBodyWatch } from "./bodies/body-watch.ts";
import { createConnectionLimit, type ConnectionLimit } from "./connection-limit.ts";
import { draining } from "./bodies/drain.ts";
import { closeWithin, listen } from "./listen.ts";
import { createRefusals, type RefusalBody } from "./refusals.ts";
import { defaultLimits, type ServerLimits } from "./server-limits.ts";
import { createPipelinedRequests } from "./pipelined-requests.ts";
import { refusingServiceWorkers } from "./service-workers.ts";
import { serveTlsBeside, type TlsBeside } from "./tls-beside.ts";
import { refusingUpgrades } from "./upgrades.ts";

export interface Listener {
  /** The address for this machine. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** A problem of the listener; undefined while it listens. */
  readonly findProblem: () => string | undefined;
  /** Stops accepting, lets running requests finish for `graceMs`, then cuts the rest. */
  close(graceMs?: number): Promise<void>;
}

interface ServeOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Does not listen on loopback, which another listener uses. */
  readonly alone?: boolean;
  readonly limits?: ServerLimits;
  /** Counts the connections of several listeners together. */
  readonly connections?: ConnectionLimit;
  /** Also accepts HTTPS at the same port. */
  readonly tls?: TlsBeside | undefined;
  /** Called when connections cannot be accepted. */
  readonly log?: Pick<Logger, "warn" | "error">;
  /** The body of the 405 for an unknown method. Default: the application server's format. */
  readonly methodBody?: RefusalBody;
}

/** Makes browsers use the declared type of each answer: many contain texts of users, models or callers. */
const unsniffed =
  (handler: RequestListener): RequestListener =>
  (req, res) => {
    res.setHeader("X-Content-Type-Options", "nosniff");
    handler(req, res);
  };

/**
 * Listens at `port` on `host`, and on loopback unless `alone`. Returns when it accepts connections.
 * @throws PortInUseError
 */
export async function serve(
  handler: RequestListener,
  {
    host,
    port,
    alone = false,
    limits = defaultLimits,
    tls,
    log,
    connections = createConnectionLimit(limits.maxConnections, log),
    methodBody,
  }: ServeOptions,
): Promise<Listener> {
  const bodies = createBodyWatch(limits);
  const pipelined = createPipelinedRequests(
    refusingUpgrades(
      draining(bodies, connections.guard(unsniffed(refusingServiceWorkers(takingAbsoluteTargets(handler))))),
    ),
  );
  const server = createServer(
    {
      requestTimeout: 0, // long uploads and streams are legitimate: only the headers have a deadline
      headersTimeout: 20_000,
      connectionsCheckingInterval: 5_000,
      keepAliveTimeout: 30_000,
      requireHostHeader: false, // allowed-hosts.ts refuses it, in the format of all refusals
    },
    (req, res) => pipelined.handle(req, res),
  );
  // An unknown Expect may be ignored (RFC 9110, 10.1.1); Node would answer without a body.
  server.on("checkExpectation", (req, res) => pipelined.handle(req, res));
  const refusals = createRefusals(pipelined, methodBody);
  server.on("clientError", refusals.broken);
  server.on("connect", refusals.tunnel);
  const dropWaiting = tls && serveTlsBeside(server, tls);
  connections.watch(server);
  const { port: bound, listeners } = await listen(server, { host, port, alone });
  // An error of one connection, such as too few descriptors, does not stop the server.
  for (const one of listeners)
    one.on("error", (error) => log?.error({ err: error }, "a connection cannot be accepted"));
  const close = (graceMs?: number) => {
    dropWaiting?.();
    return closeWithin(server, listeners, graceMs);
  };
  const findProblem = () =>
    listeners.every((one) => one.listening) ? undefined : `no longer listens on port ${String(bound)}`;
  return { url: ownUrl(host, bound), port: bound, server, findProblem, close };
}

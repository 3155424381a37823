/** Composition root of the provider simulator: takes dependencies, returns the request handler. */
import type { NextFunction, Request, Response } from "express";
import type { RequestListener } from "node:http";
import type { Logger } from "pino";
import { createTokenCheck } from "../http/conventions/bearer-token.ts";
import { guardControl } from "../http/conventions/control.ts";
import { errorHandler, refuseBy } from "../http/conventions/error-handler.ts";
import type { EventStreams } from "../http/connection/event-streams.ts";
import { notFound } from "../http/http-error.ts";
import { inOrder, pathOf, type Middleware, type Refuse } from "../http/middleware.ts";
import type { Targets } from "../http/outgoing/targets.ts";
import { bareExpress, serviceSteps } from "../http/service-app.ts";
import type { WakeAt } from "../process/adjustable-clock.ts";
import type { Database } from "../store/database.ts";
import { createTableState } from "../store/table-state.ts";
import { createCredentials } from "./identity/credentials.ts";
import { identityState } from "./identity/identity-state.ts";
import { identityApi, providerRefusals } from "./identity/identity-api.ts";
import { ProviderError } from "./identity/provider-error.ts";
import { simApi } from "./identity/sim-api.ts";
import { openSimSettings } from "./identity/sim-settings.ts";
import { userNamed } from "./identity/sim-request.ts";
import { createSimUsers } from "./identity/sim-users.ts";
import { testApp } from "./identity/test-app.ts";
import { platformHosts } from "./platform-hosts.ts";
import { createPayments, type Payments } from "./payments/create-payments.ts";
import type { ProviderTables } from "./provider-tables.ts";
import { createProviderStates } from "./state/provider-state.ts";
import { stateApi } from "./state/state-api.ts";

export interface ProviderDeps {
  /** The setting allowed_hosts. */
  readonly allowedHosts: readonly string[];
  /** The run's console token. The control routes require it from other machines. */
  readonly consoleToken: string;
  /** Addresses that the simulator may send requests to on a user's behalf. */
  readonly targets: Targets;
  readonly database: Database<ProviderTables>;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly wakeAt: WakeAt;
  /** The path at which the newest platform certificate is stored as a file. */
  readonly certificateFile: string;
  /** Sees every request but health checks. */
  readonly record?: Middleware | undefined;
  readonly streams: EventStreams;
}

export interface ProviderApp {
  readonly handler: RequestListener;
  readonly readCredentials: Payments["readCredentials"];
  /** Starts the timed events. */
  start: Payments["start"];
  /** Stops the timed events; requests are still answered. */
  stop: Payments["stop"];
  /** Call it after the last request is answered. */
  close: Payments["close"];
}

export async function createProviderApp(deps: ProviderDeps): Promise<ProviderApp> {
  const { allowedHosts, consoleToken, log, now, record } = deps;
  const { db } = deps.database;
  const settings = await openSimSettings(db);
  const users = createSimUsers({ db, settings, now });
  const isToken = createTokenCheck(consoleToken);
  const payments = await createPayments({
    ...deps,
    isToken,
    settings: () => settings.current(),
    app: testApp,
    buyers: {
      byName: (name) => userNamed(name, users),
      byOpenId: (openid) => users.findByOpenId(openid),
    },
  });
  settings.subscribe((before) => payments.settingsChanged(before));
  const parts = [identityState(settings), payments.state];
  const states = createProviderStates({ tables: createTableState(db), parts, now });
  const app = bareExpress();
  // The control routes are Hearth's own, and so is the form of their errors.
  const control = [stateApi(states, isToken), payments.control, simApi({ users, settings, now })];
  app.use("/sim", ...control, noControlRoute, errorHandler(log, jsonStyle));
  app.use(payments.pages);
  app.use(payments.identityFaults((errcode) => new ProviderError(errcode)));
  app.use(identityApi({ users, credentials: createCredentials(db, now), settings, now }));
  app.use(() => {
    throw new ProviderError(40066);
  });
  const refuse = providerRefusals(settings, log, refuseBy(log, jsonStyle));
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- by its four parameters Express knows it
  app.use((error: unknown, req: Request, res: Response, _next: NextFunction) => refuse(error, req, res));
  const refuseControl = refuseBy(log, jsonStyle);
  const refuseStep: Refuse = (error, req, res) => (isControl(pathOf(req)) ? refuseControl : refuse)(error, req, res);
  // The most frequent calls bypass Express, whose layers cost every call time.
  // The simulated platform also answers to the hosts of the real one; the control routes do not.
  const hosts = {
    allowed: allowedHosts,
    alsoFor: (path: string) => (isControl(path) ? [] : platformHosts),
  };
  const guard = guardControl({ isPage: isPayPage, isToken });
  const guardSim: Middleware = (req, res, next) => (isControl(pathOf(req)) ? guard(req, res, next) : next());
  const toExpress: Middleware = (req, res) => void app(req, res);
  return {
    handler: inOrder(
      [...serviceSteps({ hosts, log, record, guard: guardSim }), ...payments.calls, toExpress],
      refuseStep,
    ),
    readCredentials: payments.readCredentials,
    start: (origins) => payments.start(origins),
    stop: () => payments.stop(),
    close: () => payments.close(),
  };
}

/** The page where a person plays the buyer who scanned an order's code; the console links to it. */
const isPayPage = (path: string) => /^\/sim\/pay\//i.test(path);
const isControl = (path: string) => /^\/sim(?:\/|$)/i.test(path);

const jsonStyle = { indent: 0, relaxed: true };

function noControlRoute(req: Request): void {
  throw notFound(`There is no control route ${req.method} ${req.originalUrl}.`);
}

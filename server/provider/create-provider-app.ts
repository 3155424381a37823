/** Composition root of the provider simulator: dependencies in, handler of requests out. */
import type { NextFunction, Request, Response } from "express";
import type { RequestListener } from "node:http";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { localControl } from "../http/allowed-hosts.ts";
import { errorHandler, refuseBy } from "../http/error-handler.ts";
import { notFound } from "../http/http-error.ts";
import { inOrder, pathOf, type Middleware, type Refuse } from "../http/middleware.ts";
import { bareExpress, serviceSteps } from "../http/service-app.ts";
import type { WakeAt } from "../process/adjustable-clock.ts";
import type { GroupedWrites } from "../store/grouped-writes.ts";
import type { PreparedReads } from "../store/prepared-reads.ts";
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
import { createPayments, type Payments } from "./payments/create-payments.ts";
import type { ProviderTables } from "./provider-tables.ts";
import { createProviderStates } from "./state/provider-state.ts";
import { stateApi } from "./state/state-api.ts";

export interface ProviderDeps {
  readonly host: string;
  readonly db: Kysely<ProviderTables>;
  readonly reads: PreparedReads;
  readonly writes: GroupedWrites;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  readonly wakeAt: WakeAt;
  /** Where the newest platform certificate lies as a file. */
  readonly certificateFile: string;
  /** Sees every request but health checks. */
  readonly record?: Middleware | undefined;
}

export interface ProviderApp {
  readonly handler: RequestListener;
  readonly readCredentials: Payments["readCredentials"];
  /** Begins what happens by itself. */
  start: Payments["start"];
  /** Stops what happens by itself; requests are still answered. */
  stop: Payments["stop"];
  /** For when the last request is answered. */
  close: Payments["close"];
}

export async function createProviderApp(deps: ProviderDeps): Promise<ProviderApp> {
  const { host, db, log, now, record } = deps;
  const settings = await openSimSettings(db);
  const users = createSimUsers({ db, settings, now });
  const payments = await createPayments({
    ...deps,
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
  // The control routes are Hearth's own, and so are their errors.
  const control = [stateApi(states), payments.control, simApi({ users, settings, now })];
  app.use("/sim", localControl, ...control, noControlRoute, errorHandler(log, jsonStyle));
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
  // What is called most comes before Express, whose layers cost each call that passes them.
  const toExpress: Middleware = (req, res) => void app(req, res);
  return {
    handler: inOrder([...serviceSteps({ host, log, record }), ...payments.calls, toExpress], refuseStep),
    readCredentials: payments.readCredentials,
    start: (origins) => payments.start(origins),
    stop: () => payments.stop(),
    close: () => payments.close(),
  };
}

const isControl = (path: string) => /^\/sim(?:\/|$)/i.test(path);

const jsonStyle = { indent: 0, relaxed: true };

function noControlRoute(req: Request): void {
  throw notFound(`There is no control route ${req.method} ${req.originalUrl}.`);
}

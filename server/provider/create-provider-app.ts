/** Composition root of the provider simulator: dependencies in, Express app out. */
import type { Express, Request } from "express";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { localControl } from "../http/allowed-hosts.ts";
import { errorHandler } from "../http/error-handler.ts";
import { notFound } from "../http/http-error.ts";
import type { Middleware } from "../http/middleware.ts";
import { createServiceApp } from "../http/service-app.ts";
import { createTableState } from "../store/table-state.ts";
import { createCredentials } from "./identity/credentials.ts";
import { identityState } from "./identity/identity-state.ts";
import { identityApi, providerErrors } from "./identity/identity-api.ts";
import type { IdentityTables } from "./identity/identity-tables.ts";
import { ProviderError } from "./identity/provider-error.ts";
import { simApi } from "./identity/sim-api.ts";
import { openSimSettings } from "./identity/sim-settings.ts";
import { createSimUsers } from "./identity/sim-users.ts";
import { createProviderStates } from "./state/provider-state.ts";
import { stateApi } from "./state/state-api.ts";

export interface ProviderDeps {
  readonly host: string;
  readonly db: Kysely<IdentityTables>;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Sees every request but health checks. */
  readonly record?: Middleware | undefined;
}

export async function createProviderApp({ host, db, log, now, record }: ProviderDeps): Promise<Express> {
  const settings = await openSimSettings(db);
  const users = createSimUsers({ db, settings, now });
  const states = createProviderStates({ tables: createTableState(db), parts: [identityState(settings)], now });
  const app = createServiceApp({ host, log, record });
  // The control routes are Hearth's own, and so are their errors.
  const control = [stateApi(states), simApi({ users, settings, now })];
  app.use("/sim", localControl, ...control, noControlRoute, errorHandler(log, jsonStyle));
  app.use(identityApi({ users, credentials: createCredentials(db, now), settings, now }));
  app.use(() => {
    throw new ProviderError(40066);
  });
  app.use(providerErrors(settings, log), errorHandler(log, jsonStyle));
  return app;
}

const jsonStyle = { indent: 0, relaxed: true };

function noControlRoute(req: Request): void {
  throw notFound(`There is no control route ${req.method} ${req.originalUrl}.`);
}

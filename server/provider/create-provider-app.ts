/** Composition root of the provider simulator: dependencies in, Express app out. */
import type { Express } from "express";
import type { Kysely } from "kysely";
import type { Logger } from "pino";
import { localControl } from "../http/allowed-hosts.ts";
import { errorHandler } from "../http/error-handler.ts";
import { notFound } from "../http/http-error.ts";
import { createServiceApp } from "../http/service-app.ts";
import { createCredentials } from "./identity/credentials.ts";
import { identityApi } from "./identity/identity-api.ts";
import type { IdentityTables } from "./identity/identity-tables.ts";
import { simApi } from "./identity/sim-api.ts";
import { createSimUsers } from "./identity/sim-users.ts";

export interface ProviderDeps {
  readonly host: string;
  readonly db: Kysely<IdentityTables>;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
}

export function createProviderApp({ host, db, log, now }: ProviderDeps): Express {
  const users = createSimUsers(db, now);
  const app = createServiceApp({ host, log });
  app.use("/sim", localControl, simApi({ users, now }));
  app.use(identityApi({ users, credentials: createCredentials(db, now), now }));
  app.use((req) => {
    throw notFound(`The provider has nothing at ${req.path}.`);
  });
  app.use(errorHandler(log, { indent: 0, relaxed: true }));
  return app;
}

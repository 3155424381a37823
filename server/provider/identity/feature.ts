import type { Refuse } from "../../http/middleware.ts";
import type { Feature, Kernel } from "../../kernel/feature.ts";
import { createCallQuota } from "./call-quota.ts";
import { createCredentials } from "./credentials.ts";
import { identityCalls, providerRefusals, type IdentityFaultsPort } from "./identity-api.ts";
import { identityState } from "./identity-state.ts";
import type { IdentityTables } from "./identity-tables.ts";
import { simRoutes } from "./sim-api.ts";
import { userNamed } from "./sim-request.ts";
import { openSimSettings } from "./sim-settings.ts";
import { createSimUsers } from "./sim-users.ts";

/** The platform's people and their sessions, the API for servers, and the platform's settings. */
export const identityFeature = {
  name: "identity",
  async open({ database: { db, instances }, clock: { now }, log }: Kernel<IdentityTables>) {
    const settings = await openSimSettings(db, instances, (error) =>
      log.error({ err: error }, "settings of another instance could not be read"),
    );
    const users = createSimUsers({ db, settings, now });
    const quota = createCallQuota(now);
    const credentials = createCredentials(db, now);
    return {
      routes: simRoutes({ users, settings, now }),
      port: {
        settings,
        buyers: {
          byName: (name: string) => userNamed(name, users),
          byOpenId: (openid: string) => users.findByOpenId(openid),
        },
        state: identityState(async () => {
          quota.clear();
          await settings.reload();
        }),
        /** The platform's API for servers. */
        calls: (faults: IdentityFaultsPort) => identityCalls({ users, credentials, settings, quota, faults, now }),
        /** Refuses in the platform's form; `others` refuses errors that are not the platform's. */
        refuse: (others: Refuse) => providerRefusals(settings, log, others),
      },
    };
  },
} satisfies Feature<Kernel<IdentityTables>, unknown, unknown>;

import type { Refuse } from "../../http/middleware.ts";
import type { Feature, Kernel } from "../../kernel/feature.ts";
import { createCallQuota } from "./call-quota.ts";
import { createCredentials } from "./credentials.ts";
import { identityCalls, providerRefusals, type IdentityFaultsPort } from "./identity-api.ts";
import { identityState } from "./identity-state.ts";
import type { IdentityTables } from "./identity-tables.ts";
import { miniProgramState, type MiniProgramTables } from "./mini-program/mini-program-tables.ts";
import type { MiniProgramEventsPort } from "./mini-program/events-port.ts";
import { openMiniProgram } from "./mini-program/open-mini-program.ts";
import { simRoutes } from "./sim-api.ts";
import { userNamed } from "./sim-request.ts";
import { openSimSettings } from "./sim-settings.ts";
import { createSimUsers } from "./sim-users.ts";

/** The platform's people and their sessions, the API for servers, and the platform's settings. */
export const identityFeature = {
  name: "identity",
  async open(
    { database: { db, instances }, clock: { now }, log }: Kernel<IdentityTables & MiniProgramTables>,
    { faults, events }: { readonly faults: IdentityFaultsPort; readonly events: MiniProgramEventsPort },
  ) {
    const settings = await openSimSettings(db, instances, (error) =>
      log.error({ err: error }, "settings of another instance could not be read"),
    );
    const users = createSimUsers({ db, settings, now });
    const quota = createCallQuota(now);
    const credentials = createCredentials(db, now);
    const miniProgram = openMiniProgram({ db, users, credentials, faults, events, now });
    return {
      routes: [...simRoutes({ users, settings, now }), ...miniProgram.routes],
      port: {
        settings,
        buyers: {
          byName: (name: string) => userNamed(name, users),
          byOpenId: (openid: string) => users.findByOpenId(openid),
        },
        /** The people whom Alipay's apps know, by codes and numbers of the same persons. */
        people: {
          async byLoginCode(code: string) {
            const user = await users.codeOwner(code, "login");
            return (await users.redeemCode(code, "login")) === "redeemed" ? user : undefined;
          },
          byOpenId: (openid: string) => users.findByOpenId(openid),
        },
        states: [
          identityState(async () => {
            quota.clear();
            await settings.reload();
          }),
          miniProgramState,
        ],
        serve: miniProgram.serve,
        /** The platform's API for servers. */
        calls: [identityCalls({ users, credentials, settings, quota, faults, now }), miniProgram.calls],
        /** Refuses in the platform's form; `others` refuses errors that are not the platform's. */
        refuse: (others: Refuse) => providerRefusals(settings, log, others),
      },
    };
  },
} satisfies Feature<
  Kernel<IdentityTables & MiniProgramTables>,
  { faults: IdentityFaultsPort; events: MiniProgramEventsPort },
  unknown
>;

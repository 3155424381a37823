import type { IncomingMessage } from "node:http";
import type { HearthEvents } from "../../contract/console/traffic/events.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import { loginPolicyOf } from "../../http/login.ts";
import { createIdentityClient, identityOptions } from "./identity-client.ts";
import { InternalUsers } from "./internal-users.ts";
import { SessionEvents } from "./session-events.ts";
import { SessionStore } from "./session-store.ts";
import { sessionsRoutes } from "./sessions-routes.ts";
import { agedSession, type SessionsTables } from "./sessions-tables.ts";
import { SimulatedPeople } from "./simulated-people.ts";
import { UserAdministration } from "./user-administration.ts";
import { createUserProfile } from "./user-profile.ts";
import { usersConsoleRoutes } from "./users-console-routes.ts";

interface Ports {
  /** The provider where the settings name no other. */
  readonly simulator: Parameters<typeof identityOptions>[1];
  /** The user named by HTTP Basic. */
  readonly basicUser: (req: IncomingMessage) => Promise<number | undefined>;
}

interface Sessions {
  readonly store: SessionStore;
  readonly names: UserAdministration["names"];
  readonly internal: Pick<InternalUsers, "isConsole">;
}

/** The login state: users, their sessions, and what the console does with them. */
export const sessionsFeature: Feature<EventKernel<SessionsTables>, Ports, Sessions> = {
  name: "sessions",
  stateParts: {
    users: { tables: ["users", "earlier_openids"] },
    sessions: { tables: ["sessions"], aged: agedSession },
  },
  tags: {
    sessions: "Login: exchange the client's login code for a session token, then complete the steps that a 401 names.",
  },
  consoleTags: {
    users: "Users who have logged in, and their sessions. Choose the next 401, delete user data or end sessions.",
  },
  open({ settings, database, bus, clock: { now }, log, atClose }, { simulator, basicUser }) {
    const options = identityOptions(settings, simulator);
    const identity = createIdentityClient(options, now);
    const people = new SimulatedPeople(simulator.url);
    const events = new SessionEvents(database, people);
    const store = new SessionStore({ database, events, ttlSeconds: settings.session_ttl_seconds, log, now });
    const profile = createUserProfile({
      ...{ database, events, identity, appId: options.appId, log, now },
      onePerPhone: settings.phone_is_identity && settings.one_user_per_phone,
    });
    const users = new UserAdministration({
      ...{ database, events, people, now },
      policy: loginPolicyOf(settings),
    });
    const internal = new InternalUsers({ database, events, people, log });
    // Other instances may be running checks.
    if (!database.instances) void internal.removeLeftovers();
    atClose(
      bus.subscribe(({ type, data }) => {
        if (type !== "receiver.checked") return;
        const { person } = data as HearthEvents["receiver.checked"];
        if (person !== undefined) void internal.removeOfCheck(person);
      }),
    );
    return {
      routes: sessionsRoutes({
        ...{ store, profile, identity },
        people: options.baseUrl === simulator.url ? people : undefined,
        basicUser: settings.basic_auth ? basicUser : undefined,
      }),
      consoleRoutes: usersConsoleRoutes(users),
      port: { store, names: (ids) => users.names(ids), internal },
    };
  },
};

import type { IncomingMessage } from "node:http";
import { setTimeout } from "node:timers/promises";
import { basicCredentials } from "../../http/conventions/basic-auth.ts";
import type { Route } from "../../http/route.ts";
import type { EventKernel, Feature } from "../../kernel/feature.ts";
import type { RecordRules } from "../../store/records/record-rules.ts";
import { RecordStore } from "../../store/records/record-store.ts";
import type { RecordTables } from "../../store/records/record-tables.ts";
import { RecordTransfer } from "../../store/records/record-transfer.ts";
import { accountRoutes, accounts, createAccountLogin } from "./accounts.ts";
import { articles } from "./articles.ts";
import { collectionsConsoleRoutes } from "./collections-console-routes.ts";
import { createItemAccess, type ItemAccess } from "./item-access.ts";
import { itemName } from "./item-name.ts";
import { raffleDrawRoutes } from "./raffle-draws.ts";
import { raffles } from "./raffles.ts";
import { rulesOf } from "./relations.ts";
import type { ResourceDefinition } from "./resource-definition.ts";
import { resourceRoutes } from "./resource-routes.ts";
import { secretFieldsOf } from "./secret-fields.ts";

interface Ports {
  /** The collections that users define. */
  readonly userDefinitions: () => readonly ResourceDefinition[];
}

interface Resources {
  /** All collections in service. */
  readonly definitions: () => readonly ResourceDefinition[];
  readonly routesOf: (definition: ResourceDefinition) => Route[];
  readonly rulesOf: (definition: ResourceDefinition) => RecordRules;
  readonly transfer: RecordTransfer;
  readonly access: ItemAccess;
  readonly secretFields: ReturnType<typeof secretFieldsOf>;
  /** The user named by HTTP Basic. */
  readonly basicUser: (req: IncomingMessage) => Promise<number | undefined>;
}

/** The items of all collections, built in or defined by users. */
export const resourcesFeature: Feature<EventKernel<RecordTables>, Ports, Resources> = {
  name: "resources",
  stateParts: { records: { tables: ["records", "record_sequences", "code_state"] } },
  tags: {
    articles: "Articles. Everybody can read public articles; only the owner can change or delete one.",
    raffles: "Raffles. One request at a time can draw; all others get 503 and retry.",
    accounts: "User names and passwords for HTTP Basic (setting `basic_auth`). Discouraged.",
  },
  consoleTags: {
    collections: "Items of all collections, built in or defined by files, of all owners.",
  },
  open({ settings, database, bus, clock: { now } }, { userDefinitions }) {
    const { instances } = database;
    const builtIn = [articles, raffles, accounts];
    const isBuiltIn = (name: string) => builtIn.some((definition) => definition.name === name);
    const definitions = () => [...builtIn, ...userDefinitions()];
    const records = new RecordStore(database, now, (collection, data) => {
      const definition = definitions().find(({ name }) => name === collection);
      return definition && itemName(definition, data);
    });
    const accountLogin = createAccountLogin(records);
    const routesOf = (definition: ResourceDefinition) => resourceRoutes(definition, { records, definitions });
    return {
      routes: [
        ...(settings.basic_auth ? accountRoutes(accountLogin) : []),
        ...builtIn.flatMap(routesOf),
        ...raffleDrawRoutes({ records, now, drawMs: settings.raffle_draw_ms, wait: setTimeout, instances }),
      ],
      consoleRoutes: collectionsConsoleRoutes({ definitions, isBuiltIn, records, bus, instances }),
      port: {
        definitions,
        routesOf,
        rulesOf: (definition) => rulesOf(definition, definitions),
        transfer: new RecordTransfer(database, now),
        access: createItemAccess(records, definitions),
        secretFields: secretFieldsOf(definitions),
        async basicUser(req) {
          const credentials = basicCredentials(req);
          return credentials && (await accountLogin(credentials)).ownerId;
        },
      },
    };
  },
};

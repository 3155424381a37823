/** One process of the platform: opened over a life's disk, and gone at a crash. */
import { settingsSchema } from "../../../server/contract/process/settings.ts";
import { createEventStreams } from "../../../server/http/connection/bodies/event-streams.ts";
import { createKeyGate } from "../../../server/http/keys/key-gate.ts";
import { createProviderApp } from "../../../server/provider/create-provider-app.ts";
import type { NotificationPoster } from "../../../server/provider/payments/notifier/post-notification.ts";
import { providerMigrations, type ProviderTables } from "../../../server/provider/provider-tables.ts";
import { openDatabase } from "../../../server/store/sqlite/open-database.ts";
import { createAdjustableClock } from "../../../server/time/adjustable-clock.ts";
import { noApiDocs } from "../app/no-api-docs.ts";
import { quietLog } from "../quiet-log.ts";
import { beginProcess } from "./crashing-disk.ts";

export type LifeProvider = Awaited<ReturnType<typeof openLifeProvider>>;

interface Options {
  readonly file: string;
  readonly folder: string;
  readonly poster: NotificationPoster;
}

export async function openLifeProvider({ file, folder, poster }: Options) {
  beginProcess();
  const database = await openDatabase<ProviderTables>({ file, migrations: providerMigrations, durability: "none" });
  const settings = settingsSchema.parse({ data_dir: folder, provider_port: 0 });
  const closers: ((graceMs: number) => unknown)[] = [() => database.close()];
  const kernel = {
    ...{ settings, database, clock: createAdjustableClock(), log: quietLog },
    atClose: (end: (graceMs: number) => unknown) => void closers.push(end),
  };
  const { handler, payments } = await createProviderApp(kernel, {
    keys: createKeyGate({ keys: () => [] }),
    metrics: undefined,
    isDraining: () => false,
    apiDocs: noApiDocs,
    consoleToken: "lives",
    record: undefined,
    streams: createEventStreams(1),
    onBuiltIn: () => undefined,
    ownUrl: () => "http://127.0.0.1:3090",
    publish: () => undefined,
    poster,
  });
  await payments.start({ here: "http://127.0.0.1:3090", forBuyers: () => "http://127.0.0.1:3090" });
  return {
    handler,
    db: database.db,
    readCredentials: payments.readCredentials,
    async close() {
      for (const end of closers.toReversed()) await end(0);
    },
  };
}

import { join } from "node:path";
import type { Logger } from "pino";
import type { Settings } from "../contract/settings.ts";
import type { Middleware } from "../http/middleware.ts";
import { serve } from "../http/serve.ts";
import { openDatabase } from "../store/database.ts";
import { createProviderApp } from "./create-provider-app.ts";
import { identityMigrations, type IdentityTables } from "./identity/identity-tables.ts";
import { testApp } from "./identity/test-app.ts";

interface Options {
  readonly settings: Pick<Settings, "data_dir" | "host" | "provider_port">;
  readonly log: Logger;
  /** Unix time in ms. */
  readonly now: () => number;
  /** Sees every request but health checks. */
  readonly record?: Middleware | undefined;
}

/**
 * Opens the simulator's own storage and listens. It knows nothing of the application server, which knows of it only what
 * is returned here: where it answers, and the credentials that a real provider would have handed out on paper.
 * @throws PortInUseError
 */
export async function openProvider({ settings, log, now, record }: Options) {
  const db = await openDatabase<IdentityTables>(join(settings.data_dir, "provider.db"), identityMigrations);
  try {
    const listener = await serve(await createProviderApp({ host: settings.host, db, log, now, record }), {
      host: settings.host,
      port: settings.provider_port,
    });
    return {
      url: listener.url,
      credentials: testApp,
      async close() {
        await listener.close();
        await db.destroy();
      },
    };
  } catch (error) {
    await db.destroy();
    throw error;
  }
}

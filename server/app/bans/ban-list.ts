import { isIP } from "node:net";
import { plainAddress } from "../../http/connection/peer/addresses.ts";
import { callerAddress } from "../../http/connection/peer/caller.ts";
import { refuse } from "../../http/http-error.ts";
import type { Middleware } from "../../http/middleware.ts";
import { changeAndNotify } from "../../store/change-and-notify.ts";
import type { Database, Migrations } from "../../store/database.ts";

interface BansTable {
  ip: string;
  created_at: number;
}
export interface BanTables {
  bans: BansTable;
}

export const banMigrations: Migrations = {
  "006_bans": {
    async up(db) {
      await db.schema
        .createTable("bans")
        .addColumn("ip", "text", (c) => c.primaryKey())
        .addColumn("created_at", "integer", (c) => c.notNull())
        .execute();
    },
  },
};

export type BanList = Awaited<ReturnType<typeof createBanList>>;

interface Deps {
  readonly database: Database<BanTables>;
  readonly now: () => number;
  /** Called when another instance's bans could not be read. */
  readonly onError: (error: unknown) => void;
}

const topic = "bans";

/** IP addresses that the API refuses. Kept in memory, because every request checks them. */
export async function createBanList({ database: { db, instances }, now, onError }: Deps) {
  const read = async () => new Set((await db.selectFrom("bans").select("ip").execute()).map(({ ip }) => ip));
  let banned = await read();
  instances?.subscribe(topic, () => {
    read().then((all) => (banned = all), onError);
  });
  return {
    list: () => [...banned],
    /** @throws HttpError 400 for a text that is no IP address */
    async add(ip: string): Promise<void> {
      if (isIP(ip) === 0)
        throw refuse("ban.noAddress", { ip }, { details: [{ field: "ip", problem: "is no IP address" }] });
      const address = plainAddress(ip);
      await changeAndNotify(db, instances, topic, (trx) =>
        trx
          .insertInto("bans")
          .values({ ip: address, created_at: now() })
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
      banned.add(address);
    },
    async remove(ip: string): Promise<boolean> {
      const address = plainAddress(ip);
      await changeAndNotify(db, instances, topic, (trx) => trx.deleteFrom("bans").where("ip", "=", address).execute());
      return banned.delete(address);
    },
    /** Answers 403 to a banned peer (spec: Errors 403.3). */
    refuse: ((req, _res, next) => {
      if (banned.size > 0 && banned.has(callerAddress(req))) throw refuse("ban.active");
      next();
    }) satisfies Middleware,
  };
}

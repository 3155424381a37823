/** The platform's tables as they are stored. A table is read again only after a statement that may have written to it. */
import type { Kysely, Selectable } from "kysely";
import type { ProviderTables } from "../../../server/provider/provider-tables.ts";
import { crashState } from "./crashing-disk.ts";

const names = [
  ...(["pay_orders", "pay_refunds", "pay_postings", "pay_accounts", "pay_shares", "pay_share_details"] as const),
  ...(["pay_share_returns", "pay_share_orders", "pay_shipments", "pay_transfers", "pay_contracts"] as const),
  ...(["pay_complaints", "pay_notifications"] as const),
] as const;

type Name = (typeof names)[number];

/** All rows of each table. */
export type Stored = { readonly [Table in Name]: readonly Selectable<ProviderTables[Table]>[] };

export class StoredTables {
  readonly #versions = new Map<Name, number>();
  readonly #rows: Partial<Record<Name, unknown>> = {};

  async read(db: Kysely<ProviderTables>): Promise<Stored> {
    for (const name of names) {
      const version = crashState.version(name);
      if (this.#versions.get(name) === version) continue;
      this.#rows[name] = await db.selectFrom(name).selectAll().execute();
      this.#versions.set(name, version);
    }
    return this.#rows as Stored;
  }
}

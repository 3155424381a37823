/** The accounts to which merchants may share, and what merchants have set for sharing. */
import type { Insertable, Kysely, Transaction } from "kysely";
import type { TableOf } from "../../../store/define-table.ts";
import type { payShareReceivers, ShareReceiverRow, ShareSettingsRow, ShareTables } from "./share-tables.ts";

export type NewShareReceiver = Insertable<TableOf<typeof payShareReceivers>>;
export type ReceiverKey = Pick<ShareReceiverRow, "type" | "account">;

/** The platform's limit, which a merchant can lower or have raised (pages of the platform: 30 %). */
const usualMaxRatio = 3_000;

export class ShareReceivers {
  readonly #db: Kysely<ShareTables>;

  constructor(db: Kysely<ShareTables>) {
    this.#db = db;
  }

  /** Adds a receiver; a repeat changes its name and its relation. */
  async add(receiver: NewShareReceiver): Promise<void> {
    const { name, relation_type, custom_relation } = receiver;
    await this.#db
      .insertInto("pay_share_receivers")
      .values(receiver)
      .onConflict((conflict) =>
        conflict.columns(["mch_id", "type", "account"]).doUpdateSet({ name, relation_type, custom_relation }),
      )
      .execute();
  }

  async remove(mchId: string, { type, account }: ReceiverKey): Promise<void> {
    await this.#db
      .deleteFrom("pay_share_receivers")
      .where((row) => row.and({ mch_id: mchId, type, account }))
      .execute();
  }

  list(mchId: string, db: Kysely<ShareTables> | Transaction<ShareTables> = this.#db): Promise<ShareReceiverRow[]> {
    return db.selectFrom("pay_share_receivers").selectAll().where("mch_id", "=", mchId).orderBy("id").execute();
  }

  async settingsOf(
    mch_id: string,
    db: Kysely<ShareTables> | Transaction<ShareTables> = this.#db,
  ): Promise<ShareSettingsRow> {
    const row = await db.selectFrom("pay_share_settings").selectAll().where("mch_id", "=", mch_id).executeTakeFirst();
    return row ?? { mch_id, max_ratio: usualMaxRatio, notify_url: null, notify_from: null };
  }

  async putSettings(settings: ShareSettingsRow): Promise<void> {
    const { mch_id: _key, ...changed } = settings;
    await this.#db
      .insertInto("pay_share_settings")
      .values(settings)
      .onConflict((conflict) => conflict.column("mch_id").doUpdateSet(changed))
      .execute();
  }
}

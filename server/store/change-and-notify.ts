import type { Kysely, Transaction } from "kysely";
import type { Instances } from "./database.ts";

/**
 * Changes something of a topic, and notifies the other instances once it is committed.
 * @param instances undefined where there are no others
 */
export const changeAndNotify = <Tables>(
  db: Kysely<Tables>,
  instances: Pick<Instances, "notify"> | undefined,
  topic: string,
  change: (trx: Transaction<Tables>) => Promise<unknown>,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await change(trx);
    await instances?.notify(topic, trx);
  });

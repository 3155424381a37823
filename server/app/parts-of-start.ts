import { checkDatabaseSetting } from "./check-database.ts";
import { checkOwnMerchant } from "./payments/provider/payment-access.ts";
import type { PartsOfStart } from "./settings/check-start.ts";
import { openBucket } from "./uploads/open-blobs.ts";

/** What features check of changed settings. */
export const partsOfStart: PartsOfStart = {
  payment_: checkOwnMerchant,
  uploads_: openBucket,
  MaxSize: openBucket,
  database_: checkDatabaseSetting,
};

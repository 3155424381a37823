/** Fields of orders that restrict or support what the payer does: identity, instalments, and supplements of a part. */
import { z } from "zod";
import { list } from "../../../contract/bounded-lists.ts";
import type { Keys } from "../keys/keys.ts";
import { createDecryptField } from "./decrypt-field-v3.ts";

const documents = [
  ...["IDCARD", "HONGKONG_MACAO", "HONGKONG_MACAO_RESIDENT", "TAIWAN_RESIDENT", "FOREIGN_RESIDENT"],
  ...["OVERSEA_PASSPORT", "PHONE_NUMBER"],
] as const;

const encrypted = z.base64().min(1).max(1024);

/** The only person who may pay. Whoever plays the buyer decides whether they are that person. */
export const identity = z.object({ type: z.enum(documents), number: encrypted, name: encrypted });
type Identity = z.output<typeof identity>;

/** Interest that the merchant pays for instalments, which no simulated buyer uses. */
export const subsidyInfo = z.object({
  subsidy_detail: list(
    z.object({
      subsidy_period_type: z.enum(["DAILY", "PERIOD"]),
      subsidy_plan: list(
        z.object({ subsidy_installment_num: z.literal([3, 6, 12]), subsidy_percent: z.literal([0, 100]) }),
      ),
    }),
  ).optional(),
});

const mostSubsidyFen = 500_000;

/** `subsidy_amount`: fen that an e-commerce platform announces to add to the order by another call. */
export const settleInfo = z.object({
  profit_sharing: z.boolean().optional(),
  subsidy_amount: z.int().min(0).max(mostSubsidyFen).optional(),
});

/** Decrypts an identity, which is encrypted anew in each repeat of an order. @throws PaymentRefusal PARAM_ERROR */
export async function readIdentity(
  keys: Pick<Keys, "platformKey">,
  field: string,
  given: Identity | undefined,
  serial: string | undefined,
) {
  const decrypt = createDecryptField(keys);
  return (
    given && {
      type: given.type,
      number: await decrypt(`${field}/number`, given.number, serial),
      name: await decrypt(`${field}/name`, given.name, serial),
    }
  );
}
export type PayerIdentity = Awaited<ReturnType<typeof readIdentity>>;

/** The bill of the money of one sub-merchant, encrypted for the service provider that asks for it. */
import { createCipheriv, createHash, randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { z } from "zod";
import { accountTypes } from "../bills/bills.ts";
import type { Keys } from "../keys/keys.ts";
import type { Merchants } from "../merchants/merchants.ts";
import type { BillFiles } from "../v3/bill-files-v3.ts";
import { encryptToMerchant } from "../v3/encrypt-field-v3.ts";
import { billQuery, readAs, textV3 } from "../v3/requests-v3.ts";
import type { PreparedCall, RouteV3 } from "../v3/route-v3.ts";
import { boundMerchant } from "./sub-merchant.ts";

export const subFlowBillQuery = billQuery.extend({
  sub_mchid: textV3(32),
  account_type: z.enum([...accountTypes, "DEPOSIT"]),
  algorithm: z.literal("AEAD_AES_256_GCM", { error: "only AEAD_AES_256_GCM is supported" }),
});

interface Deps {
  readonly billFiles: BillFiles;
  readonly merchants: Pick<Merchants, "get">;
  readonly keys: Pick<Keys, "merchantPublicKeys">;
}

const keyCharacters = 32;
const nonceCharacters = 16;
const lettersAndDigits = (characters: number) => randomBytes(characters / 2).toString("hex");

/** The whole file with its tag, without additional data. */
function encrypted(bytes: Buffer, key: string, nonce: string): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  return Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

export const subMerchantBill = ({ billFiles, merchants, keys }: Deps): RouteV3 => ({
  name: "downloadfundflow",
  method: "GET",
  path: "/v3/bill/sub-merchant-fundflowbill",
  prepare({ merchant: { mchId }, query, origin }): PreparedCall<object> {
    const { bill_date: day, sub_mchid: subMchId, ...asked } = readAs(subFlowBillQuery, query, "query");
    return {
      async perform() {
        await boundMerchant(merchants, { mchId }, subMchId);
        const text = await billFiles.writeFlow({ mchId: subMchId, day, account: asked.account_type });
        const [key, nonce] = [lettersAndDigits(keyCharacters), lettersAndDigits(nonceCharacters)];
        const bytes = asked.tar_type === "GZIP" ? gzipSync(text) : Buffer.from(text);
        return {
          bill_sequence: 1,
          download_url: billFiles.addressOf(mchId, encrypted(bytes, key, nonce), origin),
          encrypt_key: await encryptToMerchant(keys, mchId, key),
          hash_type: "SHA1",
          hash_value: createHash("sha1").update(text).digest("hex"),
          nonce,
        };
      },
      view: (file) => ({ download_bill_count: 1, download_bill_list: [file] }),
    };
  },
});

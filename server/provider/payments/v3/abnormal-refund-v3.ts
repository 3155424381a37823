/** Redirects a refund that the buyer's account refused to a bank account. */
import type { Keys } from "../keys/keys.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { refusal } from "../ledger/refusals.ts";
import { createDecryptField } from "./decrypt-field-v3.ts";
import { abnormalRefundBody, readAs, readBodyV3, refundId } from "./requests-v3.ts";
import type { PreparedCall, RequestV3, RouteV3 } from "./route-v3.ts";
import { refundV3 } from "./views-v3.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "refunds" | "redirectRefund" | "orderOf">;
  readonly keys: Pick<Keys, "platformKey">;
}

const merchantsAccount = "商户结算银行账户";

export function abnormalRefundV3({ ledger, keys }: Deps): RouteV3 {
  const decrypted = createDecryptField(keys);

  function prepare(request: RequestV3): PreparedCall<Awaited<ReturnType<Ledger["refund"]>>> {
    const { refund_id } = readAs(refundId, request.params, "uri_template");
    const body = readAs(abnormalRefundBody, readBodyV3(request.body), "body");
    const { mchId } = request.merchant;

    async function account(): Promise<string> {
      if (body.type === "MERCHANT_BANK_CARD") return merchantsAccount;
      await decrypted("real_name", body.real_name, request.serial);
      return body.bank_type + (await decrypted("bank_account", body.bank_account, request.serial)).slice(-4);
    }

    return {
      outRefundNo: body.out_refund_no,
      async perform() {
        const [refund] = await ledger.refunds({ mchId, refundId: refund_id, sandbox: false });
        if (refund?.outRefundNo !== body.out_refund_no) throw refusal("REFUNDNOTEXIST");
        const redirected = await ledger.redirectRefund(refund_id, await account());
        return { refund: redirected, order: await ledger.orderOf(redirected) };
      },
      view: ({ refund, order }) => refundV3(refund, order),
    };
  }

  return {
    name: "refund",
    method: "POST",
    path: "/v3/refund/domestic/refunds/{refund_id}/apply-abnormal-refund",
    prepare,
  };
}

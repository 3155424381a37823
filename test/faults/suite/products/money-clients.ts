/** Clients that share profit, transfer money to users, and deduct by contract. */
import { contractIdOf } from "../../../support/payments/begin-money-moves.ts";
import { openid, shareFen, twice, type Promised, type Scene } from "./scene.ts";

export function moneyClients({ world, merchant, provider, isPaid, paidOrder, appid }: Scene) {
  async function share(number: string, promised: Promised[]): Promise<void> {
    const receiver = { type: "PERSONAL_OPENID", account: `o${number}` };
    const added = await twice(() =>
      merchant.call("POST", "/v3/profitsharing/receivers/add", { appid, ...receiver, relation_type: "STAFF" }),
    );
    if (!added || !(await paidOrder(number, { settle_info: { profit_sharing: true } }))) return;
    const { transaction_id } = (await merchant.query(number)).json;
    const asked = {
      ...{ appid, transaction_id, out_order_no: number, unfreeze_unsplit: false },
      receivers: [{ ...receiver, amount: shareFen, description: "tip" }],
    };
    const shared = await twice(() => merchant.call("POST", "/v3/profitsharing/orders", asked));
    if (!shared) return;
    const path = `/v3/profitsharing/orders/${number}?transaction_id=${String(transaction_id)}`;
    const isThere = async () => (await merchant.call("GET", path)).json.order_id === shared.json.order_id;
    promised.push({ product: "share", number, isThere });
    await world.sim("POST", `/shares/${String(shared.json.order_id)}/finish`, { failures: [] });
  }

  async function transfer(number: string, promised: Promised[]): Promise<void> {
    const root = "/v3/fund-app/mch-transfer/transfer-bills";
    const asked = {
      ...{ appid, out_bill_no: number, transfer_scene_id: "1000", openid, transfer_amount: 30 },
      ...{ transfer_remark: "prize", transfer_scene_report_infos: [{ info_type: "活动名称", info_content: "prize" }] },
    };
    const begun = await twice(() => merchant.call("POST", root, asked));
    if (!begun) return;
    const read = async () => (await merchant.call("GET", `${root}/out-bill-no/${number}`)).json;
    const bill = String(begun.json.transfer_bill_no);
    promised.push({ product: "transfer", number, isThere: async () => (await read()).transfer_bill_no === bill });
    if ((await world.sim("POST", `/transfers/${bill}/confirm`)).status !== 200) return;
    promised.push({ product: "confirmation", number, isThere: async () => (await read()).state === "SUCCESS" });
  }

  async function deduct(number: string, promised: Promised[]): Promise<void> {
    const asked = await twice(() =>
      merchant.call("POST", "/v3/papay/scheduled-deduct-sign/contracts/pre-entrust-sign/jsapi", {
        ...{ appid, plan_id: 1, out_contract_code: number, contract_display_account: "Ada" },
        contract_notify_url: "http://127.0.0.1:9/contracts",
      }),
    );
    if (!asked) return;
    const contract_id = await contractIdOf(provider, number);
    if ((await world.sim("POST", `/contracts/${contract_id}/sign`, {})).status !== 200) return;
    const path = `/v3/papay/sign/contracts/plan-id/1/out-contract-code/${number}`;
    const isSigned = async () => (await merchant.call("GET", path)).json.contract_id === contract_id;
    promised.push({ product: "contract", number, isThere: isSigned });
    const deduction = await twice(() =>
      merchant.call("POST", "/v3/papay/pay/transactions/apply", {
        ...{ appid, contract_id, out_trade_no: number, description: "VIP", amount: { total: 100, currency: "CNY" } },
        transaction_notify_url: "http://127.0.0.1:9/deductions",
      }),
    );
    if (deduction) promised.push({ product: "deduction", number, isThere: () => isPaid(number) });
  }

  return { share, transfer, deduct };
}

/** Begins a share of an order, a transfer or a contract, for tests that care for what follows. */
import { createMerchantV3 } from "./merchant-v3.ts";
import type { TestProvider } from "./test-provider.ts";

let count = 0;

/** The platform's number of a new request to share a new order with a person. */
export async function beginShare(provider: TestProvider): Promise<string> {
  const merchant = await createMerchantV3(provider.url);
  const { app_id: appid } = merchant.credentials;
  const number = `BEGUN_SHARE_${String(++count)}`;
  const staff = { type: "PERSONAL_OPENID", account: "oStaffOfTheShop" };
  await merchant.call("POST", "/v3/profitsharing/receivers/add", { appid, ...staff, relation_type: "STAFF" });
  await merchant.place("native", number, { settle_info: { profit_sharing: true } });
  await provider.control("POST", `/orders/${number}/pay`);
  const { transaction_id } = (await merchant.query(number)).json;
  const { json } = await merchant.call("POST", "/v3/profitsharing/orders", {
    ...{ appid, transaction_id, out_order_no: number, unfreeze_unsplit: false },
    receivers: [{ ...staff, amount: 10, description: "tip" }],
  });
  return json.order_id;
}

/** The platform's number of a new transfer that waits for its user. */
export async function beginTransfer(provider: TestProvider, changed: object = {}): Promise<string> {
  const merchant = await createMerchantV3(provider.url);
  const { json } = await merchant.call("POST", "/v3/fund-app/mch-transfer/transfer-bills", {
    appid: merchant.credentials.app_id,
    out_bill_no: `begun${String(++count)}`,
    transfer_scene_id: "1000",
    openid: "oReceiverOfTheMoney",
    transfer_amount: 500,
    transfer_remark: "prize",
    transfer_scene_report_infos: [{ info_type: "活动名称", info_content: "prize" }],
    ...changed,
  });
  return json.transfer_bill_no;
}

/** The platform's number of a new contract that waits for its user. */
export async function beginContract(provider: TestProvider): Promise<string> {
  const merchant = await createMerchantV3(provider.url);
  const out_contract_code = `begun${String(++count)}`;
  await merchant.call("POST", "/v3/papay/scheduled-deduct-sign/contracts/pre-entrust-sign/jsapi", {
    ...{ appid: merchant.credentials.app_id, plan_id: 1, out_contract_code, contract_display_account: "Ada" },
    contract_notify_url: "http://127.0.0.1:9/contracts",
  });
  return contractIdOf(provider, out_contract_code);
}

/** The platform's number of a contract that the merchant named. */
export async function contractIdOf(provider: Pick<TestProvider, "control">, code: string): Promise<string> {
  const { contracts } = (await provider.control("GET", "/contracts")) as { contracts: Record<string, string>[] };
  return contracts.find((one) => one["out_contract_code"] === code)?.["contract_id"] ?? "";
}

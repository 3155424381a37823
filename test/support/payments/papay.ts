/** A merchant, or a service provider for its sub-merchant, that makes the calls of contracts in version 3. */
import { contractIdOf } from "./begin-money-moves.ts";
import type { MerchantV3, ReplyV3 } from "./merchant-v3.ts";
import type { createPartner } from "./partner.ts";
import type { TestProvider } from "./test-provider.ts";

type Partner = Awaited<ReturnType<typeof createPartner>>;

export const planId = 12_535;
export const deductFen = 100;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const device_info = {
  ...{ device_type: "DEVICE_TYPE_PHONE", device_os: "iOS 17", device_id: "one", device_running_as_root: false },
  ...{ device_ip: "127.0.0.1", weixin_installed: true, weixin_version: "8.0.1" },
  days_since_first_login: "DAYS_SINCE_FIRST_LOGIN_WITHIN_7_DAYS",
};

/** Puts the clock to an hour of the platform's day that is `days` later. */
export function putClock({ clock }: TestProvider, hour: number, days = 0): void {
  const start = Math.floor((clock.now() + 8 * hourMs) / dayMs) * dayMs - 8 * hourMs;
  clock.offsetMs += start + days * dayMs + hour * hourMs - clock.now();
}

const dayAfter = (at: number) => new Date(at + 8 * hourMs + dayMs).toISOString().slice(0, 10);

/** @param collected gets each reply with its operation */
export async function createPapay(
  provider: TestProvider,
  merchant: MerchantV3,
  partner: Partner | undefined,
  collected: (readonly [operation: string, reply: ReplyV3])[] = [],
) {
  const { app_id, mch_id } = merchant.credentials;
  const part = partner ? "partner/" : "";
  const who = partner
    ? { sp_appid: app_id, sub_mchid: partner.subMchId, sub_appid: partner.subAppId }
    : { appid: app_id };
  const mine = partner ? { sp_mchid: mch_id } : { mchid: mch_id };
  const bySub = partner ? `?sub_mchid=${partner.subMchId}` : "";
  const money = { total: deductFen, currency: "CNY" };

  async function call(method: string, path: string, names: Record<string, string>, body?: object) {
    const filled = path.replace(/[{](\w+)[}]/g, (_all, name: string) => names[name] ?? "");
    const isQueried = method === "GET" && !path.includes("harmony");
    const reply = await merchant.call(method, `${filled}${isQueried ? bySub : ""}`, body);
    collected.push([`${method} ${path}`, reply]);
    return reply;
  }
  const byCode = (out_contract_code: string) => ({ plan_id: String(planId), out_contract_code });
  const contract = (out_contract_code: string) => ({
    ...{ plan_id: planId, out_contract_code, contract_display_account: "Ada", out_user_code: "ada" },
    contract_notify_url: "http://127.0.0.1:9/contracts",
  });
  const schedule = () => ({
    ...{ estimated_deduct_date: dayAfter(provider.clock.now()), estimated_deduct_amount: money, description: "VIP" },
  });
  const order = (contract_id: string, out_trade_no: string, changed: object) => ({
    ...{ out_trade_no, contract_id, description: "VIP", amount: money },
    transaction_notify_url: "http://127.0.0.1:9/deductions",
    ...changed,
  });
  putClock(provider, 10);

  return {
    who,
    contract,
    /** Moves the clock. */
    pass: (seconds: number) => void (provider.clock.offsetMs += seconds * 1000),
    /** The day of the deduction, at ten. */
    toDay: () => putClock(provider, 10, 1),
    sign: (way: string, number: string, changed: object = {}) =>
      call(
        "POST",
        `/v3/papay/scheduled-deduct-sign/${part}contracts/pre-entrust-sign/${way}`,
        {},
        {
          ...{ ...who, ...contract(number), deduct_schedule: schedule() },
          ...changed,
        },
      ),
    signInScene: (number: string, changed: object = {}) =>
      call(
        "POST",
        "/v3/papay/sign/contracts/pre-entrust-sign",
        {},
        {
          ...{ ...who, ...contract(number), sign_scene: "SIGN_SCENE_QRCODE", device_info },
          ...changed,
        },
      ),
    /** The user signs. Returns the contract's id. */
    async signed(number: string): Promise<string> {
      const contract_id = await contractIdOf(provider, number);
      await provider.control("POST", `/contracts/${contract_id}/sign`, {});
      return contract_id;
    },
    query: (number: string) =>
      call(
        "GET",
        `/v3/papay/sign/${part}contracts/plan-id/{plan_id}/out-contract-code/{out_contract_code}`,
        byCode(number),
      ),
    queryHarmony: (number: string) =>
      call(
        "GET",
        "/v3/papay/sign/contracts/harmony-plan-id/{plan_id}/out-contract-code/{out_contract_code}",
        byCode(number),
      ),
    terminate: (number: string) =>
      call(
        "POST",
        `/v3/papay/sign/${part}contracts/plan-id/{plan_id}/out-contract-code/{out_contract_code}/terminate`,
        byCode(number),
        {
          ...(partner && { sub_mchid: partner.subMchId }),
          contract_termination_remark: "moved",
        },
      ),
    schedule: (contract_id: string, changed: object = {}) =>
      call(
        "POST",
        `/v3/papay/pay/${part}schedules/contract-id/{contract_id}/schedule`,
        { contract_id },
        {
          ...{ ...who, schedule_amount: money },
          ...changed,
        },
      ),
    querySchedule: (contract_id: string) =>
      call("GET", `/v3/papay/pay/${part}schedules/contract-id/{contract_id}`, { contract_id }),
    apply: (contract_id: string, number: string, changed: object = {}) =>
      call("POST", `/v3/papay/pay/${part}transactions/apply`, {}, { ...who, ...order(contract_id, number, changed) }),
    applyByHarmony: (contract_id: string, number: string) =>
      call(
        "POST",
        "/v3/papay/pay/harmony/transactions/apply",
        {},
        {
          ...{ ...who, ...order(contract_id, number, {}), harmony_account_id: "harmony-ada" },
        },
      ),
    announce: (contract_id: string, changed: object = {}) =>
      call(
        "POST",
        `/v3/${partner ? "partner-" : ""}papay/contracts/{contract_id}/notify`,
        { contract_id },
        {
          ...{ ...mine, ...who, estimated_amount: { amount: deductFen, currency: "CNY" } },
          ...changed,
        },
      ),
    remind: (contract_id: string) =>
      call(
        "POST",
        `/v3/${partner ? "partner-" : ""}papay/contracts/{contract_id}/fail-notify`,
        { contract_id },
        {
          ...mine,
          ...who,
        },
      ),
  };
}

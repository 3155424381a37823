/** Schemas and replies of contracts and their deductions in version 3, to compare with the published description. */
import * as requests from "../../../server/provider/payments/papay/contract-requests-v3.ts";
import type { MerchantV3, ReplyV3 } from "./merchant-v3.ts";
import { createPapay } from "./papay.ts";
import { createPartner } from "./partner.ts";
import type { TestProvider } from "./test-provider.ts";

const scheduled = "/v3/papay/scheduled-deduct-sign";
const signing = "/v3/papay/sign";
const paying = "/v3/papay/pay";
const byCode = "{plan_id}/out-contract-code/{out_contract_code}";
const byId = "contract-id/{contract_id}";
const ways = ["app", "h5", "jsapi", "mini-program"] as const;
const code = { path: requests.contractCode };
const id = { path: requests.contractNumber };

export const papaySchemas = {
  ...Object.fromEntries(
    ways.flatMap((way) => [
      [`POST ${scheduled}/contracts/pre-entrust-sign/${way}`, { body: requests.signBodies[way] }],
      [`POST ${scheduled}/partner/contracts/pre-entrust-sign/${way}`, { body: requests.partnerSignBodies[way] }],
    ]),
  ),
  [`POST ${signing}/contracts/pre-entrust-sign`]: { body: requests.sceneSignBody },
  [`GET ${signing}/contracts/plan-id/${byCode}`]: code,
  [`GET ${signing}/contracts/harmony-plan-id/${byCode}`]: code,
  [`GET ${signing}/partner/contracts/plan-id/${byCode}`]: { ...code, query: requests.bySub },
  [`POST ${signing}/contracts/plan-id/${byCode}/terminate`]: { ...code, body: requests.terminateBody },
  [`POST ${signing}/partner/contracts/plan-id/${byCode}/terminate`]: { ...code, body: requests.partnerTerminateBody },
  [`POST ${paying}/schedules/${byId}/schedule`]: { ...id, body: requests.scheduleBody },
  [`GET ${paying}/schedules/${byId}`]: id,
  [`POST ${paying}/partner/schedules/${byId}/schedule`]: { ...id, body: requests.partnerScheduleBody },
  [`GET ${paying}/partner/schedules/${byId}`]: { ...id, query: requests.bySub },
  [`POST ${paying}/transactions/apply`]: { body: requests.applyBody },
  [`POST ${paying}/harmony/transactions/apply`]: { body: requests.harmonyApplyBody },
  [`POST ${paying}/partner/transactions/apply`]: { body: requests.partnerApplyBody },
  "POST /v3/papay/contracts/{contract_id}/notify": { ...id, body: requests.announceBody },
  "POST /v3/papay/contracts/{contract_id}/fail-notify": { ...id, body: requests.failNotifyBody },
  "POST /v3/partner-papay/contracts/{contract_id}/notify": { ...id, body: requests.partnerAnnounceBody },
  "POST /v3/partner-papay/contracts/{contract_id}/fail-notify": { ...id, body: requests.partnerFailNotifyBody },
};

type Collected = readonly (readonly [operation: string, reply: ReplyV3])[];

/** One reply of each call. */
export async function papayReplies(provider: TestProvider, merchant: MerchantV3): Promise<Collected> {
  const collected: (readonly [string, ReplyV3])[] = [];
  const direct = await createPapay(provider, merchant, undefined, collected);
  const partner = await createPapay(provider, merchant, await createPartner(provider, merchant), collected);
  for (const papay of [direct, partner]) {
    const name = papay === direct ? "descDirect" : "descPartner";
    for (const way of ways) await papay.sign(way, `${name}_${way}`);
    const scheduledId = await papay.signed(`${name}_app`);
    await papay.schedule(scheduledId);
    papay.toDay();
    await papay.apply(scheduledId, `${name}_order`);
    papay.pass(3_600);
    await papay.querySchedule(scheduledId);
    await papay.query(`${name}_app`);
    await papay.signed(`${name}_h5`);
    await papay.terminate(`${name}_h5`);
    await papay.sign("jsapi", `${name}_periodic`, { deduct_schedule: undefined });
    const periodicId = await papay.signed(`${name}_periodic`);
    await papay.announce(periodicId);
    papay.pass(2 * 86_400);
    await papay.remind(periodicId);
  }
  await direct.signInScene("descScene");
  const harmonyId = await direct.signed("descScene");
  await direct.queryHarmony("descScene");
  await direct.applyByHarmony(harmonyId, "descHarmony");
  return collected;
}

/** Control routes of contracts. */
import {
  failSimDeduction,
  listSimContracts,
  putSimPlan,
  refuseSimContract,
  signSimContract,
  terminateSimContract,
  type SimContract,
} from "../../../contract/provider/papay/sim-contracts.ts";
import { route, type Route } from "../../../http/route.ts";
import { refusedAs409 } from "../ledger/find-order.ts";
import type { ContractRow, PlanRow } from "./contract-tables.ts";
import type { Papay } from "./open-papay.ts";

interface Deps extends Pick<Papay, "contracts" | "settle"> {
  readonly signPage: (contract: ContractRow) => string;
}

const mostContracts = 100;
const iso = (at: number) => new Date(at).toISOString();

const planView = ({ plan_id, mode, terminated_url, valid_days }: PlanRow) => ({
  ...{ plan_id, mode, valid_days },
  ...(terminated_url !== null && { terminated_url }),
});

export function contractRoutes({ contracts, settle, signPage }: Deps): Route[] {
  const view = (row: ContractRow): SimContract => ({
    contract_id: row.contract_id,
    mch_id: row.mch_id,
    ...(row.sub_mch_id !== null && { sub_mch_id: row.sub_mch_id }),
    plan_id: row.plan_id,
    out_contract_code: row.out_contract_code,
    display_account: row.display_account,
    ...(row.openid !== null && { openid: row.openid }),
    state: row.state,
    ...(row.signed_at !== null && { signed_at: iso(row.signed_at) }),
    ...(row.expires_at !== null && { expires_at: iso(row.expires_at) }),
    ...(row.terminated_at !== null && { terminated_at: iso(row.terminated_at) }),
    ...(row.termination_mode !== null && { termination_mode: row.termination_mode }),
    ...(row.schedule_state !== null && { schedule_state: row.schedule_state }),
    ...(row.announced_from !== null && { announced_from: iso(row.announced_from) }),
    ...(row.announced_until !== null && { announced_until: iso(row.announced_until) }),
    ...(row.next_failure !== null && { next_failure: row.next_failure }),
    sign_url: signPage(row),
  });

  async function change(contractId: string, act: (row: ContractRow) => Promise<ContractRow>) {
    await settle();
    return { data: view(await refusedAs409(contracts.byId(contractId).then(act))) };
  }

  return [
    route(listSimContracts, async ({ query: { mch_id, openid } }) => {
      await settle();
      const filter = { ...(mch_id !== undefined && { mch_id }), ...(openid !== undefined && { openid }) };
      return { data: { contracts: (await contracts.list(filter, mostContracts)).map(view) } };
    }),
    route(signSimContract, ({ params, body: { openid } }) =>
      change(params.contract_id, (row) => contracts.sign(row, openid)),
    ),
    route(refuseSimContract, ({ params }) => change(params.contract_id, (row) => contracts.refuse(row))),
    route(terminateSimContract, ({ params, body: { mode } }) =>
      change(params.contract_id, (row) => contracts.terminate(row, { mode, remark: null })),
    ),
    route(failSimDeduction, ({ params, body: { reason } }) =>
      change(params.contract_id, (row) => contracts.setNextFailure(row, reason)),
    ),
    route(putSimPlan, async ({ params: { plan_id }, body: { mode, terminated_url = null, valid_days } }) => ({
      data: planView(await contracts.setPlan({ plan_id: Number(plan_id), mode, terminated_url, valid_days })),
    })),
  ];
}

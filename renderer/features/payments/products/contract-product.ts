import {
  listSimContracts,
  refuseSimContract,
  signSimContract,
  terminateSimContract,
  type SimContract,
} from "../../../../server/contract/provider/papay/sim-contracts.ts";
import type { Product, ProductAction, ProductEntry } from "./product.ts";

function actionsOf({ state, contract_id }: SimContract): ProductAction[] {
  const params = { contract_id };
  if (state === "WAITING")
    return [
      { name: "signContract", run: async (call) => (await call(signSimContract, { params, body: {} })).state },
      { name: "refuseContract", run: async (call) => (await call(refuseSimContract, { params })).state },
    ];
  return state === "SIGNED"
    ? [{ name: "endContract", run: async (call) => (await call(terminateSimContract, { params, body: {} })).state }]
    : [];
}

const entryOf = (contract: SimContract): ProductEntry => ({
  key: contract.contract_id,
  at: contract.terminated_at ?? contract.signed_at,
  state: contract.state,
  number: contract.out_contract_code,
  mchId: contract.mch_id,
  ...(contract.openid !== undefined && { openid: contract.openid }),
  parts: [],
  actions: actionsOf(contract),
  item: contract,
});

export const contractProduct: Product = {
  numberField: "out_contract_code",
  without: ["amount"],
  waits: [],
  load: async (call, { mch_id }, signal) =>
    (await call(listSimContracts, { query: { mch_id }, signal })).contracts.map(entryOf),
  example: (provider) =>
    [
      `POST ${provider}/v3/papay/sign/contracts/pre-entrust-sign`,
      `{"sign_scene":"SIGN_SCENE_APP","appid":"…","plan_id":12535,"out_contract_code":"C001",…}`,
    ].join("\n"),
};

/** The calls of version 2 that prepare, query and end contracts. */
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import { filledField, type CallV2 } from "../v2/call-v2.ts";
import { isNotifyUrl, isOneOf, needed, optional } from "../v2/field-rules.ts";
import type { RequestV2 } from "../v2/read-request.ts";
import { plainReply } from "../v2/write-reply.ts";
import { contractFields, namesOfContract } from "./contract-fields-v2.ts";
import {
  addresses,
  checkSender,
  common,
  contractOf,
  isPlan,
  lacksSub,
  signRules,
  subFields,
  toSignRequest,
  version,
  type ContractDepsV2,
} from "./contract-request-v2.ts";
import type { ContractRow } from "./contract-tables.ts";
import { signMiniProgram, signPath } from "./sign-mini-program.ts";

const isTimestamp = (value: string) => /^\d{10}$/.test(value);
const ownSignRules = [
  ...signRules,
  needed("notify_url", 256, isNotifyUrl),
  version,
  needed("timestamp", 10, isTimestamp),
];

const askIn = async (deps: ContractDepsV2, request: RequestV2): Promise<ContractRow> =>
  deps.papay.contracts.ask(toSignRequest(request, await checkSender(deps, request)));

const signInApp = (isPartner: boolean, deps: ContractDepsV2): CallV2<ContractRow> => ({
  ...common,
  name: "preentrustweb",
  paths: addresses(isPartner, "preentrustweb"),
  withoutNonce: "request",
  rules: [...ownSignRules, optional("return_app", 1, isOneOf(["Y", "N"]))],
  alsoMissing: lacksSub(isPartner),
  perform: (request) => askIn(deps, request),
  reply: (contract) => ({
    ...subFields(contract),
    pre_entrustweb_id: contract.pre_sign_id,
    miniprogram_username: signMiniProgram.username,
    miniprogram_path: signPath(contract.pre_sign_id),
  }),
});

const personRules = ["deviceid", "mobile", "email", "qq", "openid", "creid", "outerid"].map((name) =>
  optional(name, 128),
);

/** Opened by a browser outside of the platform's client. */
const signInBrowser = (isPartner: boolean, deps: ContractDepsV2): CallV2<ContractRow> => ({
  ...common,
  name: "preentrustweb",
  paths: addresses(isPartner, "h5entrustweb"),
  inQuery: true,
  withoutNonce: "always",
  usualSignType: "HMAC-SHA256",
  rules: [...ownSignRules, needed("clientip", 45), optional("return_appid", 32), ...(isPartner ? personRules : [])],
  alsoMissing: lacksSub(isPartner),
  perform: (request) => askIn(deps, request),
  reply: () => ({}),
  write: (outcome) =>
    plainReply(
      outcome.ok
        ? { result_code: "SUCCESS", result_msg: "OK", redirect_url: deps.signPage(outcome.value) }
        : { result_code: "FAIL", result_msg: outcome.refusal.code },
    ),
});

/** Opened in the platform's client: a page that leads to the contract. */
const signInClient = (isPartner: boolean, deps: ContractDepsV2): CallV2<ContractRow> => ({
  ...common,
  name: "preentrustweb",
  paths: addresses(isPartner, "entrustweb"),
  inQuery: true,
  withoutNonce: "always",
  rules: [...ownSignRules, optional("return_web", 1, isOneOf(["0", "1"]))],
  alsoMissing: lacksSub(isPartner),
  perform: (request) => askIn(deps, request),
  reply: () => ({}),
  write(outcome) {
    if (!outcome.ok) return plainReply({ result_code: "FAIL", err_code: outcome.refusal.code });
    const url = deps.signPage(outcome.value);
    return {
      status: 200,
      headers: { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": "default-src 'none'" },
      body: `<!doctype html><meta http-equiv="refresh" content="0;url=${url}"><a href="${url}">${url}</a>`,
    };
  },
});

const contractNames = [
  optional("contract_id", 32),
  optional("plan_id", 28, isPlan),
  optional("contract_code", 128),
  version,
];

const missingContract = (isPartner: boolean) => (fields: FieldsV2) => {
  const isNamed = filledField(fields, "contract_id") ?? filledField(fields, "contract_code");
  if (isNamed === undefined) return "contract_id";
  if (filledField(fields, "contract_id") === undefined && filledField(fields, "plan_id") === undefined)
    return "plan_id";
  return lacksSub(isPartner)(fields);
};

const query = (isPartner: boolean, deps: ContractDepsV2): CallV2<ContractRow> => ({
  ...common,
  name: "querycontract",
  paths: addresses(isPartner, "querycontract"),
  withoutNonce: "always",
  rules: contractNames,
  alsoMissing: missingContract(isPartner),
  perform: (request) => contractOf(deps, request),
  reply: (contract) => ({
    ...subFields(contract),
    ...contractFields(contract),
    ...{ err_code: "0", err_code_des: "SUCCESS" },
  }),
});

const terminate = (isPartner: boolean, deps: ContractDepsV2): CallV2<ContractRow> => ({
  ...common,
  name: "deletecontract",
  paths: addresses(isPartner, "deletecontract"),
  withoutNonce: "always",
  rules: [...contractNames, needed("contract_termination_remark", 512)],
  alsoMissing: missingContract(isPartner),
  async perform(request) {
    const remark = request.fields["contract_termination_remark"] ?? "";
    return deps.papay.contracts.terminate(await contractOf(deps, request), { mode: "MCH_API_TERMINATE", remark });
  },
  reply: (contract) => ({ ...subFields(contract), ...namesOfContract(contract) }),
});

/** @param isPartner the calls of a service provider for its sub-merchant */
export const signCallsV2 = (isPartner: boolean, deps: ContractDepsV2): readonly CallV2<ContractRow>[] => [
  signInApp(isPartner, deps),
  signInBrowser(isPartner, deps),
  signInClient(isPartner, deps),
  query(isPartner, deps),
  terminate(isPartner, deps),
];

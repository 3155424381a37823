/** The calls of contracts and deductions in version 2. */
import type { CallV2 } from "../v2/call-v2.ts";
import type { ContractDepsV2 } from "./contract-request-v2.ts";
import { contractOrder, deductionCallsV2 } from "./deduction-calls-v2.ts";
import { signCallsV2 } from "./sign-calls-v2.ts";

/** The calls' values have types of their own, which only the call itself reads. */
// oxlint-disable-next-line typescript/no-explicit-any
export const contractCallsV2 = (deps: ContractDepsV2): readonly CallV2<any>[] => [
  ...[false, true].flatMap((isPartner) => [...signCallsV2(isPartner, deps), ...deductionCallsV2(isPartner, deps)]),
  contractOrder(deps),
];

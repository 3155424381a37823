/** The simulator's control routes for contracts and their deductions. Money is fen. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { simMchId } from "../sim-orders.ts";
import { contractState, deductionFailure, planMode, scheduleState, terminationMode } from "./contract-terms.ts";

const contracts = { access: "control", tag: "contracts", status: 200 } as const;
const contract = {
  ...contracts,
  method: "POST",
  params: z.object({ contract_id: z.string() }),
  errors: [404, 409],
} as const;

const simContractSchema = z.object({
  contract_id: z.string(),
  mch_id: z.string(),
  sub_mch_id: z.string().optional(),
  plan_id: z.int(),
  out_contract_code: z.string(),
  display_account: z.string(),
  openid: z.string().optional().describe("The user, once known."),
  state: contractState,
  signed_at: z.iso.datetime().optional(),
  expires_at: z.iso.datetime().optional(),
  terminated_at: z.iso.datetime().optional(),
  termination_mode: terminationMode.optional(),
  schedule_state: scheduleState.optional(),
  announced_from: z.iso
    .datetime()
    .optional()
    .describe("Start of the days on which the announced deduction is allowed."),
  announced_until: z.iso.datetime().optional(),
  next_failure: deductionFailure.optional().describe("Result of the next deduction. Absent: it succeeds."),
  sign_url: z.string().describe("Page on which the user signs, refuses or ends the contract."),
});
export type SimContract = z.infer<typeof simContractSchema>;

/** Lists the contracts of deductions, newest first. */
export const listSimContracts = endpoint({
  ...contracts,
  id: "listSimContracts",
  method: "GET",
  path: "/sim/contracts",
  query: z.strictObject({ mch_id: simMchId.optional(), openid: z.string().optional() }),
  data: z.object({ contracts: z.array(simContractSchema) }),
});

/** Signs a contract as its user. */
export const signSimContract = endpoint({
  ...contract,
  id: "signSimContract",
  path: "/sim/contracts/{contract_id}/sign",
  body: z.strictObject({
    openid: z.string().min(1).max(128).optional().describe("Person who signs, if the merchant named nobody."),
  }),
  data: simContractSchema,
});

/** Refuses a contract as its user. */
export const refuseSimContract = endpoint({
  ...contract,
  id: "refuseSimContract",
  path: "/sim/contracts/{contract_id}/refuse",
  data: simContractSchema,
});

/** Ends a contract. */
export const terminateSimContract = endpoint({
  ...contract,
  id: "terminateSimContract",
  path: "/sim/contracts/{contract_id}/terminate",
  body: z.strictObject({ mode: terminationMode.default("USER_TERMINATE") }),
  data: simContractSchema,
});

/** Makes the contract's next deduction fail, or succeed again. */
export const failSimDeduction = endpoint({
  ...contract,
  id: "failSimDeduction",
  path: "/sim/contracts/{contract_id}/fail-next",
  body: z.strictObject({ reason: deductionFailure.nullable().default("no_funds").describe("null: it succeeds.") }),
  data: simContractSchema,
});

const simPlanSchema = z.object({
  plan_id: z.int(),
  mode: planMode,
  terminated_url: z.string().optional(),
  valid_days: z.int(),
});

/** Sets how the contracts of a plan work. Plans that were never set are instant. */
export const putSimPlan = endpoint({
  ...contracts,
  id: "putSimPlan",
  method: "PUT",
  path: "/sim/plans/{plan_id}",
  params: z.object({ plan_id: z.string().regex(/^[1-9]\d{0,8}$/, "1 to 999999999") }),
  body: z.strictObject({
    mode: planMode
      .default("instant")
      .describe("Deductions: at once, after 24 hours, or on days after the user was told."),
    terminated_url: z
      .url()
      .max(256)
      .optional()
      .describe("Address for notifications that a contract ended. Default: that of its signing."),
    valid_days: z.int().min(1).max(3_650).default(3_650).describe("Days until a signed contract ends."),
  }),
  data: simPlanSchema,
});

/** Acts of a user on the page of a contract. */
export const contractAct = z.enum(["sign", "refuse", "terminate"]);
export type ContractAct = z.infer<typeof contractAct>;

const page = {
  access: "none",
  tag: "pay-pages",
  path: "/pay/h5/contract",
  query: z.looseObject({ id: z.string().max(64).default("") }),
} as const;

/** Shows a contract to its user. */
export const getContractPage = endpoint({
  ...page,
  id: "getContractPage",
  method: "GET",
  status: 200,
  produces: ["text/html"],
});

/** Submits the form of the page of a contract and redirects to the page or to the merchant. */
export const postContractPage = endpoint({
  ...page,
  id: "postContractPage",
  method: "POST",
  status: 303,
  body: z.strictObject({ outcome: contractAct }),
  produces: ["text/plain", "text/html"],
});

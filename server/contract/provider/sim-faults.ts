/** The faults of the simulated platform, and their control routes. */
import { z } from "zod";
import { list } from "../bounded-lists.ts";
import { endpoint } from "../endpoint.ts";
import { wholeNumber } from "../whole-number.ts";
import { callFaults } from "./sim-call-faults.ts";
import { identityFaultSchemas } from "./sim-identity-faults.ts";
import { notificationFaults } from "./sim-notification-faults.ts";

const kinds = [...callFaults, ...notificationFaults, ...identityFaultSchemas] as const;

export const simFaultInputSchema = z.discriminatedUnion("kind", kinds, {
  error: (issue) =>
    issue.code === "invalid_union"
      ? `must be one of ${kinds.map(({ shape }) => shape.kind.value).join(", ")}`
      : undefined,
});
export type SimFaultInput = z.output<typeof simFaultInputSchema>;
export type SimFaultKind = SimFaultInput["kind"];
/** The fault of a kind. */
export type SimFaultOf<Kind extends SimFaultKind> = Extract<SimFaultInput, { kind: Kind }>;

const progress = {
  id: z.int(),
  hits: z.int().describe("Number of times that the fault has fired."),
  recent_hits: z
    .array(z.string().meta({ format: "date-time" }))
    .describe("Times of the newest hits since this start, oldest first, at most 50."),
  spent: z.boolean().describe("Whether the fault has fired as often as `times` allows."),
};
export type SimFault = SimFaultInput & Readonly<z.infer<z.ZodObject<typeof progress>>>;
const simFaultSchema = z.union(
  kinds.map((kind: z.ZodObject) => kind.extend(progress)),
) as unknown as z.ZodType<SimFault>;
const faultListSchema = z.object({ faults: z.array(simFaultSchema) });

/** PUT /sim/faults. */
export const simFaultsChangeSchema = z.strictObject({ faults: list(simFaultInputSchema).max(1000) });

/** The known difficult situations of the platform, with the kinds of fault that cause each one. */
export const faultSituations = {
  "forged signature": ["notification_signature"],
  "forged but validly shaped, order unpaid": ["forged_success"],
  duplicate: ["notification_duplicate"],
  "out of order": ["notification_order"],
  lost: ["notification_lost"],
  delayed: ["notification_delayed"],
  "platform key switched": ["key_switched"],
  "wrong amount": ["wrong_amount"],
  foreign: ["notification_foreign"],
  malformed: ["notification_malformed"],
  "return_code FAIL": ["return_code_fail", "notification_return_code_fail"],
  "result_code FAIL": ["err_code"],
  "result_code SUCCESS, trade_state not": ["trade_state"],
  "notification result_code FAIL, order paid": ["notification_result_code_fail"],
  PAYERROR: ["pay_error"],
  USERPAYING: ["user_paying"],
  "ORDERNOTEXIST right after creation": ["order_not_exist"],
  "close against pay": ["close_race"],
  "refund PROCESSING": ["refund_outcome"],
  "time-outs": ["no_answer", "slow_answer", "reset", "http_status", "truncated_body", "reply_signature"],
  "identity API": [
    "identity_errcode",
    "identity_slow",
    "identity_http_status",
    "identity_no_answer",
    "identity_reset",
    "identity_truncated",
  ],
} as const satisfies Record<string, readonly SimFaultKind[]>;

const faults = { access: "control", tag: "faults", status: 200 } as const;

/** Lists all faults with the number of times that each has fired. */
export const listSimFaults = endpoint({
  ...faults,
  id: "listSimFaults",
  method: "GET",
  path: "/sim/faults",
  data: faultListSchema,
});

/** Replaces all faults with these. */
export const replaceSimFaults = endpoint({
  ...faults,
  id: "replaceSimFaults",
  method: "PUT",
  path: "/sim/faults",
  body: simFaultsChangeSchema,
  data: faultListSchema,
});

/** Adds a fault. */
export const createSimFault = endpoint({
  ...faults,
  id: "createSimFault",
  method: "POST",
  path: "/sim/faults",
  status: 201,
  body: simFaultInputSchema,
  data: simFaultSchema,
});

/** Removes all faults. */
export const deleteSimFaults = endpoint({
  ...faults,
  id: "deleteSimFaults",
  method: "DELETE",
  path: "/sim/faults",
  status: 204,
});

/** Removes a fault. */
export const deleteSimFault = endpoint({
  ...faults,
  id: "deleteSimFault",
  method: "DELETE",
  path: "/sim/faults/{id}",
  status: 204,
  params: z.object({
    id: wholeNumber(z.int().positive()),
  }),
  errors: [404],
});

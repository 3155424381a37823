/** What goes wrong on purpose at the simulated platform: GET, PUT, POST and DELETE /sim/faults. */
import { z } from "zod";
import { callFaults } from "./sim-call-faults.ts";
import { identityFaults } from "./sim-identity-faults.ts";
import { notificationFaults } from "./sim-notification-faults.ts";

const kinds = [...callFaults, ...notificationFaults, ...identityFaults] as const;

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

export type SimFault = SimFaultInput & {
  readonly id: number;
  /** How often it has taken hold. */
  readonly hits: number;
  /** It has hit as often as `times` says. */
  readonly spent: boolean;
};

/** PUT /sim/faults. */
export const simFaultsChangeSchema = z.strictObject({ faults: z.array(simFaultInputSchema).max(1000) });

/** The situations that the platform's behaviour is known to lead into, and the kinds of fault that bring each about. */
export const faultSituations = {
  "forged signature": ["notification_signature"],
  "forged but validly shaped, order unpaid": ["forged_success"],
  duplicate: ["notification_duplicate"],
  "out of order": ["notification_order"],
  lost: ["notification_lost"],
  delayed: ["notification_delayed"],
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

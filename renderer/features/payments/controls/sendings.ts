/** The notifications that can be sent about an order, and the faults that can be set for its next event. */
import { z } from "zod";
import type { simFaultInputSchema } from "../../../../server/contract/provider/sim-faults.ts";
import { simSendingSchema, type SimSending } from "../../../../server/contract/provider/sim-notification-faults.ts";
import { fieldsOf, type FieldSchema, type SchemaField } from "../../../ui/forms/schema-fields.ts";

export type SendingKind = SimSending["kind"];

export const sendingKinds: readonly SendingKind[] = simSendingSchema.options.map(({ shape }) => shape.kind.value);

/** The parameters of a kind. */
export function sendingFields(kind: SendingKind): SchemaField[] {
  const option = simSendingSchema.options.find(({ shape }) => shape.kind.value === kind);
  if (!option) return [];
  const schema = z.toJSONSchema(option, { io: "input" }) as FieldSchema;
  return fieldsOf(schema.properties?.["params"] ?? {});
}

type Input<Schema extends z.ZodType> = z.input<Schema>;

/** The usual ones, one click each. */
export const quickSendings = {
  forged: { kind: "notification_signature", params: { how: "wrong_key" } },
  duplicate: { kind: "notification_duplicate", params: { copies: 3, concurrent: true } },
  wrongAmount: { kind: "wrong_amount", params: { by: -1 } },
  unpaid: { kind: "forged_success", params: {} },
} as const satisfies Record<string, Input<typeof simSendingSchema>>;

/** Faults that hit once, on the next occasion. */
export const arrangements = {
  lost: { kind: "notification_lost", params: {} },
  late: { kind: "notification_delayed", params: { by_ms: 10_000 } },
  reordered: { kind: "notification_order", params: { how: "older_after_newer" } },
  refundFirst: { kind: "notification_order", params: { how: "refund_first" } },
  userPaying: { kind: "trade_state", params: { state: "USERPAYING" } },
  payError: { kind: "trade_state", params: { state: "PAYERROR" } },
} as const satisfies Record<string, Input<typeof simFaultInputSchema>>;

/** The effect of a fault on the message of one delivery. */
import type { SimFaultKind, SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import type { notificationFaults } from "../../../contract/provider/sim-notification-faults.ts";
import {
  asFailure,
  padded,
  withExtraFields,
  withForeignId,
  withOtherSignType,
  withWrongAmount,
} from "./content-edits.ts";
import { broken, failedNotification, forged } from "./forged-messages.ts";
import type { DueNotification, PlannedDelivery } from "./notification-faults.ts";

type NotificationFaultKind = (typeof notificationFaults)[number]["shape"]["kind"]["value"];
/** Kinds that decide whether, when and how often a message is delivered; see plan-notifications.ts. */
export type DeliveryFaultKind =
  "notification_lost" | "notification_delayed" | "notification_duplicate" | "notification_order";
/** Kinds that change the message; at most one of them hits a delivery. A forged success is a delivery of its own. */
export type MessageFaultKind = Exclude<NotificationFaultKind, DeliveryFaultKind | "forged_success">;

export type ChangedMessage = Pick<PlannedDelivery, "message" | "genuine" | "expected">;

const judged =
  (genuine: boolean, expected: ChangedMessage["expected"]) =>
  (message: ChangedMessage["message"]): ChangedMessage => ({ message, genuine, expected });
const toBeRefused = judged(false, "refuse");
const toBeAccepted = judged(true, "accept");
const undecided = judged(false, "either");

/** Whether a notification has the part that the fault changes. */
export function hasPart({ version, about }: DueNotification["content"], kind: SimFaultKind, params: object): boolean {
  if (kind === "notification_result_code_fail") return about === "payment";
  if ("where" in params && (params.where === "query" || params.where === "reply")) return false;
  if (kind === "key_switched" && version !== "v3") return false;
  // In version 3, a refund's notification contains no app id.
  if (kind === "notification_foreign" && "field" in params)
    return params.field !== "appid" || version !== "v3" || about === "payment";
  if ("how" in params && params.how === "sign_type" && (version !== "v2" || about === "refund")) return false;
  return !("about" in params) || params.about === undefined || params.about === about;
}

/** A kind without an effect does not compile. */
const messageChanges = {
  notification_signature: (due, { how }) => toBeRefused(() => forged(due, how)),

  notification_foreign: ({ content, keys, write }, { field, value }) =>
    toBeRefused(() => write(withForeignId(content, field, value), keys)),

  notification_malformed(due, { how }) {
    const { content, keys, write } = due;
    if (how === "extra_fields") return toBeAccepted(() => write(withExtraFields(content), keys));
    if (how === "sign_type") return toBeAccepted(() => write(withOtherSignType(content, keys.signType), keys));
    if (how === "huge") return toBeRefused(() => write(padded(content), keys));
    // A language's own JSON parser does not detect duplicate members.
    if (how === "duplicate_keys" && content.version === "v3") return undecided(() => broken(due, how));
    return toBeRefused(() => broken(due, how));
  },

  notification_return_code_fail: (due, { message }) => undecided(() => failedNotification(due, message)),

  notification_result_code_fail: ({ content, keys, write }, { code }) =>
    toBeAccepted(() => write(asFailure(content, code), keys)),

  key_switched: ({ content, keys, write }, { to }) =>
    toBeAccepted(async () => write(content, { ...keys, signer: await keys.platformKey(to) })),

  wrong_amount: ({ content, keys, write }, { by, currency }) =>
    toBeRefused(() => write(withWrongAmount(content, by, currency), keys)),
} satisfies {
  [Kind in MessageFaultKind]: (
    due: Pick<DueNotification, "content" | "keys" | "write">,
    params: SimFaultOf<Kind>["params"],
  ) => ChangedMessage;
};

export const messageKinds = Object.keys(messageChanges) as MessageFaultKind[];

/** @param params of that kind */
export const changedMessage = (kind: MessageFaultKind, due: DueNotification, params: unknown): ChangedMessage =>
  (messageChanges as Record<MessageFaultKind, (due: DueNotification, params: unknown) => ChangedMessage>)[kind](
    due,
    params,
  );

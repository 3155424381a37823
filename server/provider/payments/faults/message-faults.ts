/** The effect of a fault on the message of one delivery. */
import type { KeyLike } from "node:crypto";
import type { SimFaultKind, SimFaultOf } from "../../../contract/provider/sim-faults.ts";
import {
  asFailure,
  padded,
  withExtraFields,
  withForeignId,
  withOtherSignType,
  withWrongAmount,
} from "./content-edits.ts";
import type { PlatformSigner } from "../keys/platform-signer.ts";
import { broken, failedNotification, forged } from "./forged-messages.ts";
import type { DueNotification, PlannedDelivery } from "./notification-faults.ts";

/** Kinds that change the message; at most one of them hits a delivery. */
export const messageKinds = [
  "notification_signature",
  "notification_foreign",
  "notification_malformed",
  "notification_return_code_fail",
  "notification_result_code_fail",
  "wrong_amount",
  "key_switched",
] as const satisfies readonly SimFaultKind[];
export type MessageFaultKind = (typeof messageKinds)[number];

export type ChangedMessage = Pick<PlannedDelivery, "message" | "genuine" | "expected">;

type Due = Pick<DueNotification, "content" | "keys" | "write">;

type Changes = {
  readonly [Kind in MessageFaultKind]: (due: Due, params: SimFaultOf<Kind>["params"]) => ChangedMessage;
};

const refused = (message: PlannedDelivery["message"]): ChangedMessage => ({
  message,
  genuine: false,
  expected: "refuse",
});
const taken = (message: PlannedDelivery["message"]): ChangedMessage => ({ message, genuine: true, expected: "accept" });
const undecided = (message: PlannedDelivery["message"]): ChangedMessage => ({
  message,
  genuine: false,
  expected: "either",
});

/** Whether a notification has the part that the fault changes. */
export function hasPart({ version, about }: DueNotification["content"], kind: SimFaultKind, params: object): boolean {
  if (kind === "notification_result_code_fail") return about === "payment";
  if ("where" in params && (params.where === "query" || params.where === "reply")) return false;
  if (kind === "key_switched" && version === "v2") return false;
  // In version 3, a refund's notification contains no app id.
  if (kind === "notification_foreign" && "field" in params)
    return params.field !== "appid" || version === "v2" || about === "payment";
  if ("how" in params && params.how === "sign_type" && (version === "v3" || about === "refund")) return false;
  return !("about" in params) || params.about === undefined || params.about === about;
}

/** The keys that sign in place of the right one. */
export interface OtherKeys {
  /** A key pair without an owner. */
  readonly strangerKey: () => Promise<KeyLike>;
  /** The platform's own. */
  readonly platformKey: PlatformSigner["key"];
}

export const messageChanges = ({ strangerKey, platformKey }: OtherKeys): Changes => ({
  notification_signature: (due, { how }) => refused(() => forged(due, how, strangerKey)),

  notification_foreign: ({ content, keys, write }, { field, value }) =>
    refused(() => write(withForeignId(content, field, value), keys)),

  notification_malformed(due, { how }) {
    const { content, keys, write } = due;
    if (how === "extra_fields") return taken(() => write(withExtraFields(content), keys));
    if (how === "sign_type") return taken(() => write(withOtherSignType(content, keys.signType), keys));
    if (how === "huge") return refused(() => write(padded(content), keys));
    // A language's own JSON parser does not detect duplicate members.
    if (how === "duplicate_keys" && content.version === "v3") return undecided(() => broken(due, how));
    return refused(() => broken(due, how));
  },

  notification_return_code_fail: (due, { message }) => undecided(() => failedNotification(due, message)),

  notification_result_code_fail: ({ content, keys, write }, { code }) =>
    taken(() => write(asFailure(content, code), keys)),

  key_switched: ({ content, keys, write }, { to }) =>
    taken(async () => write(content, { ...keys, signer: await platformKey(to) })),

  wrong_amount: ({ content, keys, write }, { by, currency }) =>
    refused(() => write(withWrongAmount(content, by, currency), keys)),
});

/**
 * What goes wrong with notifications, as the notifier sees it: it hands in each delivery that is due, and sends what it gets
 * back instead. The notifier writes and signs; a fault changes what is written, with what it is signed, or the bytes.
 */
import type { KeyLike } from "node:crypto";
import type { NotificationVerdict } from "../../../contract/provider/notification-verdicts.ts";
import type { SignType } from "../../../contract/provider/payment-terms.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import type { Order, Refund } from "../ledger/ledger.ts";

/** What a notification says, before it is signed and sealed. */
export type NotificationContent =
  | { readonly version: "v2"; readonly about: "payment"; readonly fields: FieldsV2 }
  /** `fields` go beside `req_info`, in which `info` is sealed. */
  | { readonly version: "v2"; readonly about: "refund"; readonly fields: FieldsV2; readonly info: FieldsV2 }
  | {
      readonly version: "v3";
      readonly about: "payment" | "refund";
      /** Members beside `resource`: id, create_time, event_type, resource_type, summary. */
      readonly envelope: Readonly<Record<string, unknown>>;
      /** In plain; sealed when it is written. */
      readonly resource: Readonly<Record<string, unknown>>;
      readonly originalType: string;
      readonly associatedData: string;
    };

/** With what a notification is signed and sealed. */
export interface NotificationKeys {
  readonly apiV2Key: string;
  readonly apiV3Key: string;
  readonly signType: SignType;
  readonly platformKey: KeyLike;
  /** Serial of the platform's certificate, or its public key's id. */
  readonly platformSerial: string;
  /** Unix ms, for `Wechatpay-Timestamp`. */
  readonly signedAt: number;
}

/** The exact bytes of one delivery. */
export interface NotificationMessage {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** A delivery that is due now. */
export interface DueNotification {
  readonly content: NotificationContent;
  readonly keys: NotificationKeys;
  readonly order: Order;
  /** Of a refund notification. */
  readonly refund?: Refund | undefined;
  /** 1: the first delivery; above: a retry. */
  readonly attempt: number;
  readonly write: (content: NotificationContent, keys: NotificationKeys) => NotificationMessage;
}

/** One delivery to make in place of the due one. */
export interface PlannedDelivery {
  readonly message: NotificationMessage;
  /** Wait so long first, counted from now. Deliveries are otherwise made one after another, each after the last one's reply … */
  readonly delayMs: number;
  /** … but this one at the same time as the one before it. */
  readonly together: boolean;
  /**
   * False: forged, or somebody else's. Its acknowledgement does not end the schedule: the genuine notification has not been
   * delivered yet.
   */
  readonly genuine: boolean;
  /** What a correct receiver does with it. */
  readonly expected: "accept" | "refuse" | "either";
  /** What was done to it; empty where nothing was. */
  readonly faults: readonly FaultRef[];
}

/** A fault that has taken hold of a delivery. */
export interface FaultRef {
  readonly id: number;
  readonly kind: string;
}

export interface NotificationPlan {
  /** In order. None: the notification is lost this time, and the schedule goes on. */
  readonly deliveries: readonly PlannedDelivery[];
  /** Those that have lost it; empty where something is delivered. */
  readonly lostTo: readonly FaultRef[];
}

export interface NotificationFaults {
  /** What to deliver in place of the due one. */
  plan(due: DueNotification): Promise<NotificationPlan>;
  /** What was planned has been delivered: what is to follow it is sent now, outside the schedule. */
  delivered(due: DueNotification): void;
}

/** No fault: the due delivery as it is. For the notifier alone. */
export const genuineDelivery = ({ content, keys, write }: DueNotification): PlannedDelivery => ({
  message: write(content, keys),
  delayMs: 0,
  together: false,
  genuine: true,
  expected: "accept",
  faults: [],
});

/** What came of one delivery. */
export interface DeliveryResult {
  /** HTTP status; 0: no answer. */
  readonly status: number;
  readonly reply: string;
  /** The receiver took it for delivered. */
  readonly accepted: boolean;
  /** The notifier's judgement of the receiver, in its words. */
  readonly verdict?: NotificationVerdict | undefined;
}

/** The part of the notifier by which faults send what no schedule holds: a forged, early or late notification. */
export interface NotificationSender {
  /**
   * The notification that would tell of this order (or refund) as it is handed in, whatever its state; undefined where
   * nobody asked to be notified.
   */
  compose(order: Order, refund?: Refund): Promise<DueNotification | undefined>;
  /** Sends outside the schedule, recorded and judged as any other. */
  deliver(due: DueNotification, planned: readonly PlannedDelivery[]): Promise<readonly DeliveryResult[]>;
}

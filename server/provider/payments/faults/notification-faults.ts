/**
 * The notifier's port to faults: it passes in each due delivery, and sends what it gets back instead. The notifier
 * writes and signs; a fault changes the content, the keys, or the bytes.
 */
import type { FaultRef } from "../calls/fault-ref.ts";
import type { NotificationVerdict } from "../../../contract/provider/notification-verdicts.ts";
import type { NotifiedThing, SignType } from "../../../contract/provider/payment-terms.ts";
import type { FieldsV2 } from "../../../payment-wire/sign-v2.ts";
import type { PlatformKey } from "../keys/platform-key.ts";
import type { PlatformSigner } from "../keys/platform-signer.ts";
import type { Order, Refund } from "../ledger/ledger.ts";

/** A notification's content, before it is signed and encrypted. */
export type NotificationContent =
  | { readonly version: "v2"; readonly about: "payment" | "contract"; readonly fields: FieldsV2 }
  /** `fields` are sent beside `req_info`, which is the encrypted `info`. */
  | { readonly version: "v2"; readonly about: "refund"; readonly fields: FieldsV2; readonly info: FieldsV2 }
  /** `fields` are strings of a form. */
  | { readonly version: "alipay"; readonly about: "payment" | "refund"; readonly fields: FieldsV2 }
  | {
      readonly version: "v3";
      readonly about: NotifiedThing;
      /** Members beside `resource`: id, create_time, event_type, resource_type, summary. */
      readonly envelope: Readonly<Record<string, unknown>>;
      /** In plain text; encrypted when it is written. */
      readonly resource: Readonly<Record<string, unknown>>;
      readonly originalType: string;
      readonly associatedData: string;
    };

/** The keys that sign and encrypt a notification. */
export interface NotificationKeys {
  readonly apiV2Key: string;
  readonly apiV3Key: string;
  readonly signType: SignType;
  /** The platform's key of version 3, or Alipay's; version 2 uses none. */
  readonly signer: PlatformKey;
  /** The platform's other keys, for faults. */
  readonly platformKey: PlatformSigner["key"];
  /** For `Wechatpay-Timestamp`: Unix ms when it is written. */
  readonly signedAt: () => number;
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
  /** For a refund notification. */
  readonly refund?: Refund | undefined;
  /** 1: the first delivery; higher: a retry. */
  readonly attempt: number;
  readonly write: (content: NotificationContent, keys: NotificationKeys) => Promise<NotificationMessage>;
}

/** One delivery that replaces the due one. */
export interface PlannedDelivery {
  /** Called when it is sent, since the signature holds the time. */
  readonly message: () => Promise<NotificationMessage>;
  /** Wait this long first. Deliveries normally run one after another, each after the previous reply … */
  readonly delayMs: number;
  /** … but this one runs at the same time as the previous one. */
  readonly together: boolean;
  /**
   * False: forged, or for another recipient. Its acknowledgement does not end the schedule, because the genuine
   * notification is not delivered yet.
   */
  readonly genuine: boolean;
  /** The reaction of a correct receiver. */
  readonly expected: "accept" | "refuse" | "either";
  /** The faults that changed it; empty if none did. */
  readonly faults: readonly FaultRef[];
}

export interface NotificationPlan {
  /** In order. Empty: the notification is lost this time, and the schedule continues. */
  readonly deliveries: readonly PlannedDelivery[];
  /** The faults that lost it; empty if something is delivered. */
  readonly lostTo: readonly FaultRef[];
}

export interface NotificationFaults {
  /** Returns the deliveries that replace the due one. */
  plan(due: DueNotification): Promise<NotificationPlan>;
  /**
   * Call it after the planned deliveries: messages that follow them are then sent, outside the schedule. Settles once they
   * outlive the simulator's stop, which must be before the notification itself is recorded as delivered.
   */
  delivered(due: DueNotification): Promise<void>;
}

/** The due delivery without any fault. For the notifier only. */
export const genuineDelivery = ({
  content,
  keys,
  write,
}: Pick<DueNotification, "content" | "keys" | "write">): PlannedDelivery => ({
  message: () => write(content, keys),
  delayMs: 0,
  together: false,
  genuine: true,
  expected: "accept",
  faults: [],
});

/** The result of one delivery. */
export interface DeliveryResult {
  /** The body that was sent. */
  readonly request: string;
  /** HTTP status; 0: no answer. */
  readonly status: number;
  readonly reply: string;
  /** The receiver acknowledged it. */
  readonly accepted: boolean;
  /** The notifier's verdict on the receiver. */
  readonly verdict?: NotificationVerdict | undefined;
  /** The receiver acknowledged it without asking for the state of the order. */
  readonly trusted_result_code: boolean;
}

/**
 * The notifier's interface for faults: sends notifications outside the schedule, such as forged, early or late ones.
 */
export interface NotificationSender {
  /**
   * The notification for this order (or refund) as given, whatever its state; undefined if it has no address to notify.
   */
  compose(order: Order, refund?: Refund): Promise<DueNotification | undefined>;
  /** Sends outside the schedule; recorded and judged like any other delivery. */
  deliver(due: DueNotification, planned: readonly PlannedDelivery[]): Promise<readonly DeliveryResult[]>;
}

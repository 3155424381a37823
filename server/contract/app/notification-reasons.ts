/**
 * Reasons why the application server refuses or ignores a notification of the payment provider: the word in its events and in
 * the header of its refusals, and a text for people.
 */
export const notificationReasons = {
  too_long: "The notification is too long.",
  malformed: "The notification cannot be read.",
  bad_signature: "The signature is not from the platform.",
  signature_probe: "The signature is a probe of the platform, intentionally wrong.",
  expired_timestamp: "The timestamp differs too much from this machine's clock.",
  unknown_serial: "The serial number does not name a platform key.",
  undecryptable: "The content is not encrypted with the merchant's key.",
  wrong_kind: "This address does not accept this kind of notification.",
  foreign: "The notification belongs to another merchant or app.",
  unknown_order: "The order does not exist here.",
  unknown_refund: "The refund does not exist here.",
  amount_mismatch: "The amount differs from the order's.",
  held: "The order is held, because amounts differed before.",
  transaction_mismatch: "The payment belongs to another order.",
  contradiction: "Query order contradicts the order's state.",
  not_paid: "Query order does not report the order as paid.",
  not_found: "The platform does not have the order.",
  query_failed: "The query to the platform failed.",
  unfinished: "Query refund reports the refund as in progress.",
  busy: "The order is being processed.",
  keys_unavailable: "The platform's keys could not be fetched.",
  not_configured: "No keys are set for this version of the platform's API.",
  communication_failure: "The platform reports a communication failure.",
} as const;

/** A refused notification changes nothing, and is sent again. */
export type NotificationRefusal = Exclude<keyof typeof notificationReasons, "communication_failure">;

/** The text of a reason for people; undefined for an unknown reason. */
export const notificationReason = (reason: string): string | undefined =>
  Object.hasOwn(notificationReasons, reason)
    ? notificationReasons[reason as keyof typeof notificationReasons]
    : undefined;

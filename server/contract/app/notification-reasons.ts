/**
 * Reasons why the application server refuses or ignores a notification of the payment provider: the word in its events and in
 * the header of its refusals, and a text for people.
 */
export const notificationReasons = {
  too_long: "The notification is too long.",
  malformed: "The notification cannot be read.",
  bad_signature: "The signature is not the platform's.",
  signature_probe: "The signature is a probe of the platform, intentionally wrong.",
  expired_timestamp: "The timestamp is too far away from this machine's clock.",
  unknown_serial: "The serial number names no key of the platform.",
  undecryptable: "The content is not encrypted with the merchant's key.",
  wrong_kind: "The notification is of another kind than this address takes.",
  foreign: "The notification is for another merchant or app.",
  unknown_order: "There is no such order here.",
  unknown_refund: "There is no such refund here.",
  amount_mismatch: "The amount differs from the order's.",
  held: "The order is held, because amounts differed before.",
  transaction_mismatch: "The payment is not the order's.",
  contradiction: "What query order says cannot follow the order's state.",
  not_paid: "Query order does not say that the order is paid.",
  not_found: "The platform does not have the order.",
  query_failed: "The query at the provider has failed.",
  unfinished: "Query refund says that the refund is under way.",
  busy: "The order is being worked on.",
  keys_unavailable: "The platform's keys could not be fetched.",
  not_configured: "There are no keys for this version of the provider's API.",
  communication_failure: "The provider says that communication failed.",
} as const;

/** A refused notification changes nothing, and is sent again. */
export type NotificationRefusal = Exclude<keyof typeof notificationReasons, "communication_failure">;

/** The text of a reason for people; undefined for an unknown reason. */
export const notificationReason = (reason: string): string | undefined =>
  Object.hasOwn(notificationReasons, reason)
    ? notificationReasons[reason as keyof typeof notificationReasons]
    : undefined;

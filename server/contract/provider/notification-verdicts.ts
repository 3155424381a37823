/** The simulated provider's verdicts on a receiver's answers to notifications. */
import { z } from "zod";

/**
 * `accepted`: exactly the required answer. `believed`: the same, but the notification was forged or another merchant's.
 * `refused`: it said no. `slow`: no complete answer in time. `wrong_status`: a status that is neither yes nor no, such
 * as 201. `wrong_body`: the status for yes with another body. `connection_failed`: no answer. `lost`: never sent.
 */
export const notificationVerdict = z.enum([
  "accepted",
  "believed",
  "refused",
  "slow",
  "wrong_status",
  "wrong_body",
  "connection_failed",
  "lost",
]);
export type NotificationVerdict = z.infer<typeof notificationVerdict>;

export const trustedResultCode = z
  .boolean()
  .describe("Whether the receiver accepted the notification without querying the order since its payment.");

/** How the simulated provider judges what a receiver of notifications answered. */
import { z } from "zod";

/**
 * `accepted`: exactly as asked for. `believed`: as accepted, but it was forged or somebody else's. `refused`: it said no.
 * `slow`: no whole answer in time. `wrong_status`: a status that is neither yes nor no, such as 201. `wrong_body`: the right
 * status with another body than the one that means yes. `connection_failed`: no answer at all. `lost`: never sent.
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

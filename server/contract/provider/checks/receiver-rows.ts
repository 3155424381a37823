/** The rows about the receiver of notifications, for the report of a check, its command line and the console. */
import { contentRows } from "./content-rows.ts";
import { notificationRows } from "./notification-rows.ts";
import { productRowTexts, pushRowTexts } from "./product-row-texts.ts";

/** In the order of execution. */
export const receiverRows = {
  ...notificationRows,
  ...contentRows,
  ...productRowTexts,
  ...pushRowTexts,
  "in-time": {
    name: "replies in time",
    sent: "All notifications of all rows.",
    right: "Replies to each within 5 seconds.",
    why: "The platform takes a slow reply for none and sends again.",
  },
};

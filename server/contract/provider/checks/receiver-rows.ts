/** The rows about the receiver of payment notifications, for the report of a check, its command line and the console. */
import { contentRows } from "./content-rows.ts";
import { notificationRows } from "./notification-rows.ts";

/** In the order of execution. */
export const receiverRows = { ...notificationRows, ...contentRows };

/** Headers by which an answer says what Hearth itself has to say about it. */

/** Names in the request that the operation does not know. */
export const warningHeader = "Hearth-Warning";

/** Why a payment notification was refused, as one of notificationReasons. */
export const refusalHeader = "Hearth-Refusal";

/** How many faults are armed in the application server, such as `2 armed`; absent while there is none. */
export const faultsHeader = "Hearth-Faults";

/** The ids of the faults that have hit this request. */
export const faultHitsHeader = "X-Hearth-Fault";

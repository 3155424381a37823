/** The merchants of lives beside the built-in one. */

/** The built-in merchant is its service provider. */
export const subMchId = "1900000209";

/** Gets parts of orders. */
export const shop = { mchId: "1900000301", apiV3Key: "b".repeat(32) };

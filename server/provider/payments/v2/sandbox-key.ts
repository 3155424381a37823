import { createHash } from "node:crypto";

/** The key of a merchant's sandbox: 32 hex digits that follow from its API key, so that nothing is to be kept. */
export const sandboxKeyOf = (apiV2Key: string): string =>
  createHash("md5").update(`sandbox&key=${apiV2Key}`).digest("hex");

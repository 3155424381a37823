import { createHash } from "node:crypto";

/** The key of a merchant's sandbox: 32 hex digits derived from its API key, so that nothing needs to be stored. */
export const sandboxKeyOf = (apiV2Key: string): string =>
  createHash("md5").update(`sandbox&key=${apiV2Key}`).digest("hex");

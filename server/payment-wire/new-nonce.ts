import { randomUUID } from "node:crypto";

/**
 * 32 hexadecimal digits, for a signature. A UUID costs a fraction of the same number of random bytes, because Node creates
 * UUIDs in batches.
 */
export const newNonce = (): string => randomUUID().replaceAll("-", "");

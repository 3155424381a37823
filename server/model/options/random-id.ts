import { randomBytes } from "node:crypto";

/** An id as in the APIs: a prefix and 24 hexadecimal digits. */
export const randomId = (prefix: string) => `${prefix}${randomBytes(12).toString("hex")}`;

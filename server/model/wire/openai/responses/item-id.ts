/** Ids of items. One that this run has made is known by its seal, whoever sends it back and whatever is kept. */
import { createHmac, randomBytes } from "node:crypto";
import { randomId } from "../../../options/random-id.ts";

const key = randomBytes(32);

const sealed = (id: string) => id + createHmac("sha256", key).update(id).digest("hex").slice(0, 16);

export const itemId = (prefix: string) => sealed(randomId(prefix));

export const isMadeHere = (id: string) => sealed(id.slice(0, -16)) === id;

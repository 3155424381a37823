/** What is kept from training, to be judged by. */
import { hash } from "node:crypto";
import { plainForm } from "./language.ts";

/** Thousands of samples are made of the same few texts: each is hashed once. */
const digests = new Map<string, number>();

/**
 * Whether a wording, template or word is held out: one in so many. It depends on the text alone, so that what was held out
 * stays so when others are added, and two spellings of one question go together.
 */
export function heldOut(group: string, text: string, oneIn = 12): boolean {
  const key = `${group}\n${text}`;
  let digest = digests.get(key);
  if (digest === undefined) {
    digest = hash("sha256", `${group}\n${plainForm(text)}`, "buffer").readUInt32LE(0);
    digests.set(key, digest);
  }
  return digest % oneIn === 0;
}

/** What is kept from training, to be judged by. */
import { hash } from "node:crypto";
import { plainForm } from "./language.ts";

/** By group and text. Thousands of samples are made of the same few texts: each is hashed once. */
const digests = new Map<string, Map<string, number>>();

/**
 * Whether a wording, template or word is held out: one in so many. It depends on the text alone, so that what was held out
 * stays so when others are added, and two spellings of one question go together.
 */
export function heldOut(group: string, text: string, oneIn = 12): boolean {
  const known = digests.get(group) ?? new Map<string, number>();
  digests.set(group, known);
  let digest = known.get(text);
  if (digest === undefined) {
    digest = hash("sha256", `${group}\n${plainForm(text)}`, "buffer").readUInt32LE(0);
    known.set(text, digest);
  }
  return digest % oneIn === 0;
}

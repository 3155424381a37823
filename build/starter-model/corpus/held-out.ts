/** What is kept from training, to be judged by. */
import { hash } from "node:crypto";
import { plainForm } from "./language.ts";

/**
 * Whether a wording, template or word is held out: one in so many. It depends on the text alone, so that what was held out
 * stays so when others are added, and two spellings of one question go together.
 */
export function heldOut(group: string, text: string, oneIn = 12): boolean {
  const digest = hash("sha256", `${group}\n${plainForm(text)}`, "buffer");
  return digest.readUInt32LE(0) % oneIn === 0;
}

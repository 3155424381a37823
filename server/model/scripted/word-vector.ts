import { hash } from "node:crypto";

const components = 64;
const word = /\p{Script=Han}|[\p{L}\p{N}]+/gu;

/** A vector of the words of a text: texts that share words are near each other. */
export function wordVector(text: string): number[] {
  const vector = Array<number>(components).fill(0);
  vector[0] = 1;
  for (const [one] of text.toLowerCase().matchAll(word)) {
    const [place = 0, sign = 0] = hash("sha256", one, "buffer");
    vector[place % components] = (vector[place % components] ?? 0) + (sign < 128 ? 1 : -1);
  }
  return vector;
}

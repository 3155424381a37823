/**
 * A generated model that ends its thoughts: one of its control tokens is "</think>", and it says that within 128 tokens, on
 * every processor and whatever the seed. What else it says is nonsense.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { readGgufHeader } from "../../../server/model/models/library/gguf/gguf-header.ts";
import { padded } from "./gguf-encoding.ts";
import { writeRandomGguf } from "./random-gguf.ts";
import { createVocabulary, specialIds } from "./random-vocabulary.ts";

/** A text as it stands in the header. */
function encoded(text: string): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(text)));
  return Buffer.concat([length, Buffer.from(text)]);
}

/** A control token that the template has no use for becomes the end of the thoughts. */
export async function writeThinkingGguf(path: string, chatTemplate: string): Promise<void> {
  const vocabulary = 389;
  const { firstNormal } = createVocabulary(vocabulary);
  // All that it says is one circle, so that it comes by the token that the end follows wherever it begins.
  writeRandomGguf(path, {
    chatTemplate,
    vocabulary,
    circle: vocabulary - firstNormal,
    followers: [[firstNormal, specialIds.turnStart]],
  });
  const { headerBytes } = await readGgufHeader(path);
  const file = readFileSync(path);
  const header = file.subarray(0, headerBytes);
  const renamed = encoded("<|im_start|>");
  const at = header.indexOf(renamed);
  const changed = Buffer.concat([header.subarray(0, at), encoded("</think>"), header.subarray(at + renamed.length)]);
  const data = file.subarray(padded(headerBytes));
  writeFileSync(path, Buffer.concat([changed, Buffer.alloc(padded(changed.length) - changed.length), data]));
}

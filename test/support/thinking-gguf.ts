/**
 * A generated model that ends its thoughts: one of its control tokens is "</think>", and it says that before long, and
 * again and again. What else it says is nonsense.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { readGgufHeader } from "../../server/model/library/gguf-header.ts";
import { padded } from "./gguf-encoding.ts";
import { writeRandomGguf } from "./random-gguf.ts";
import { specialIds } from "./random-vocabulary.ts";

/** A text as it stands in the header. */
function encoded(text: string): Buffer {
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(Buffer.byteLength(text)));
  return Buffer.concat([length, Buffer.from(text)]);
}

const [width, vocabulary] = [64, 768];
/** Beside rows of ones this large a token's own is the largest again and again. */
const loudness = 4;

/** A control token that the template has no use for becomes the end of the thoughts. */
export async function writeThinkingGguf(path: string, chatTemplate: string): Promise<void> {
  writeRandomGguf(path, { chatTemplate, width, vocabulary });
  const { headerBytes } = await readGgufHeader(path);
  const file = readFileSync(path);
  const header = file.subarray(0, headerBytes);
  const renamed = encoded("<|im_start|>");
  const at = header.indexOf(renamed);
  const changed = Buffer.concat([header.subarray(0, at), encoded("</think>"), header.subarray(at + renamed.length)]);
  const data = Buffer.from(file.subarray(padded(headerBytes)));
  // The output's weights come last, a row of 32-bit floats for each token.
  const rowAt = (token: number) => data.length - (vocabulary - token) * width * 4;
  for (let i = 0; i < width; i++) {
    const like = data.readFloatLE(rowAt(vocabulary - 1) + i * 4);
    data.writeFloatLE(like * loudness, rowAt(specialIds.turnStart) + i * 4);
  }
  writeFileSync(path, Buffer.concat([changed, Buffer.alloc(padded(changed.length) - changed.length), data]));
}

/** Weights in blocks of 32: a scale in half precision, then 32 signed bytes (GGUF's Q8_0). */

export const blockValues = 32;
const blockBytes = 2 + blockValues;

/** Bits of the nearest number in half precision (IEEE 754), for a number that is not negative. */
export function halfBits(value: number): number {
  if (value < 2 ** -25) return 0;
  const exponent = Math.max(-14, Math.floor(Math.log2(value)));
  const fraction = Math.round((value / 2 ** exponent) * 1024);
  return Math.min(((exponent + 14) << 10) + fraction, 0x7bff);
}

/** @throws RangeError when the values do not fill whole blocks */
export function quantize(values: Float32Array): Buffer {
  if (values.length % blockValues !== 0) throw new RangeError(`${values.length} weights are no whole blocks`);
  const out = Buffer.alloc((values.length / blockValues) * blockBytes);
  for (let block = 0; block * blockValues < values.length; block++) {
    const part = values.subarray(block * blockValues, (block + 1) * blockValues);
    const largest = part.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const at = block * blockBytes;
    out.writeUInt16LE(halfBits(largest / 127), at);
    for (const [index, value] of part.entries())
      out.writeInt8(largest === 0 ? 0 : Math.round((value / largest) * 127), at + 2 + index);
  }
  return out;
}

/** Weight types that a generated model can have, each with a fast filler of seeded random values around zero. */

export type WeightType = "f32" | "f16" | "q4_0" | "q8_0";
export type Random = () => number;

interface WeightFormat {
  /** Number of the tensor type. */
  readonly typeId: number;
  /** Number of the file type, for `general.file_type`. */
  readonly fileType: number;
  /** Values that are stored together; a row's length must be a multiple. */
  readonly blockValues: number;
  readonly blockBytes: number;
  /** Fills the buffer with values of this standard deviation, uniformly distributed. */
  fill(target: Buffer, deviation: number, random: Random): void;
}

/** A seeded source of 32 random bits (xorshift): the same seed gives the same model, byte for byte. */
export function seededBits(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e37_79b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state;
  };
}

/** A uniform distribution reaches this far for a given standard deviation. */
const reach = (deviation: number) => deviation * Math.sqrt(3);

/** Bits of the nearest half-precision number, for magnitudes that the format holds. */
function halfBits(value: number): number {
  const magnitude = Math.abs(value);
  if (magnitude < 2 ** -24) return 0;
  const exponent = Math.max(-14, Math.floor(Math.log2(magnitude)));
  const fraction = Math.round((magnitude / 2 ** exponent) * 1024);
  return (value < 0 ? 0x8000 : 0) | (((exponent + 14) << 10) + fraction);
}

/** Both nibbles of a byte, 0 (which would mean -8) replaced by 8 (which means 0): otherwise the mean were not zero. */
const nibblePairs = Uint8Array.from({ length: 256 }, (_, byte) => ((byte >>> 4 || 8) << 4) | (byte & 15 || 8));

export const weightFormats: Record<WeightType, WeightFormat> = {
  f32: {
    typeId: 0,
    fileType: 0,
    blockValues: 1,
    blockBytes: 4,
    fill(target, deviation, random) {
      const step = reach(deviation) / 2 ** 31;
      for (let at = 0; at < target.length; at += 4) target.writeFloatLE(random() * step, at);
    },
  },
  f16: {
    typeId: 1,
    fileType: 1,
    blockValues: 1,
    blockBytes: 2,
    fill(target, deviation, random) {
      const table = Uint16Array.from({ length: 4096 }, (_, i) => halfBits(reach(deviation) * ((i + 0.5) / 2048 - 1)));
      for (let at = 0; at < target.length; at += 2) target.writeUInt16LE(table[random() & 4095] ?? 0, at);
    },
  },
  q4_0: {
    typeId: 2,
    fileType: 2,
    blockValues: 32,
    blockBytes: 18,
    fill(target, deviation, random) {
      const scale = halfBits(reach(deviation) / 7.5);
      for (let block = 0; block < target.length; block += 18) {
        target.writeUInt16LE(scale, block);
        for (let at = block + 2; at < block + 18; at += 4) {
          const bits = random();
          for (let i = 0; i < 4; i++) target[at + i] = nibblePairs[(bits >>> (8 * i)) & 255] ?? 0;
        }
      }
    },
  },
  q8_0: {
    typeId: 8,
    fileType: 7,
    blockValues: 32,
    blockBytes: 34,
    fill(target, deviation, random) {
      const scale = halfBits(reach(deviation) / 127);
      for (let block = 0; block < target.length; block += 34) {
        target.writeUInt16LE(scale, block);
        for (let at = block + 2; at < block + 34; at += 4) target.writeInt32LE(random(), at);
      }
    },
  },
};

/**
 * Weights of a model that repeats itself: after each token it says the next one of a circle, more or less surely by what
 * came before. So its text can be foreseen, as that of a model that copies its prompt.
 */
export interface Circles {
  /** Tokens of a circle. */
  readonly length: number;
  /** Id of the first token in a circle; those before it are in none. */
  readonly first: number;
}

/** Beside a row of a circle, the row for a token that follows another one for certain is so much larger. */
const certainty = 2;

/** The token before this one in its circle. */
function tokenBefore(token: number, { length, first }: Circles, count: number): number {
  const start = first + Math.floor((token - first) / length) * length;
  const end = Math.min(start + length, count);
  return token === start ? end - 1 : token - 1;
}

/** A token, and the one that follows it wherever it stands. */
export type Follower = readonly [token: number, next: number];

/**
 * The output weights for these embeddings, a row of `rowBytes` for each token. What comes out for a token is much like its
 * own embedding, for random layers add little to it: it fits best the row that holds the same, put at the token to follow.
 * The difference is so large that no rounding on any processor changes what is said. Followers are for 32-bit floats.
 */
export function circleOutput(
  embeddings: Buffer,
  rowBytes: number,
  circles: Circles,
  followers: readonly Follower[] = [],
): Buffer {
  const output = Buffer.alloc(embeddings.length);
  const count = embeddings.length / rowBytes;
  for (let token = circles.first; token < count; token++) {
    const before = tokenBefore(token, circles, count);
    embeddings.copy(output, token * rowBytes, before * rowBytes, (before + 1) * rowBytes);
  }
  for (const [token, next] of followers)
    for (let at = 0; at < rowBytes; at += 4)
      output.writeFloatLE(certainty * embeddings.readFloatLE(token * rowBytes + at), next * rowBytes + at);
  return output;
}

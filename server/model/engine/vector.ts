/** Arithmetic of the vectors that models give texts. */

/** The vector normalized to length 1; zeros stay zeros. */
export function normalised(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? [...vector] : vector.map((component) => component / length);
}

/** The first components, again normalized; all of them where no number asks for fewer. */
export function shortened(vector: readonly number[], dimensions: number | undefined): number[] {
  const isShorter = dimensions !== undefined && dimensions > 0 && dimensions < vector.length;
  return normalised(isShorter ? vector.slice(0, dimensions) : vector);
}

/** The sum of the products of their components: of normalized vectors how much they have the same direction, -1 to 1. */
export const product = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

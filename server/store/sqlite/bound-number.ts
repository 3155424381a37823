/**
 * A parameter that equals a number of a JSON document. SQLite reads an integer of up to 64 bits from its text, which beyond
 * 53 bits is not the exact value of the double: 2 ** 60 is written 1152921504606847000.
 */
export const boundNumber = (value: unknown): unknown =>
  typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63
    ? BigInt(String(value))
    : value;

/** The value of a number field. An incomplete number is a text, such as "0." or "-". */
export type TypedNumber = number | string;

/** The number that is typed; undefined where there is none yet. */
export const numberOf = (typed: TypedNumber): number | undefined =>
  typed !== "" && Number.isFinite(Number(typed)) ? Number(typed) : undefined;

/** The text in the field: the typed text while it means the value. "0.0" is 0, and may become 0.05. */
export const displayedNumber = (typed: TypedNumber, value: number | undefined): TypedNumber =>
  numberOf(typed) === value ? typed : (value ?? "");

/** What a field for numbers holds as its value: what is half typed is a text, such as "0." or "-". */
export type TypedNumber = number | string;

/** The number that is typed; undefined where there is none yet. */
export const numberOf = (typed: TypedNumber): number | undefined =>
  typed !== "" && Number.isFinite(Number(typed)) ? Number(typed) : undefined;

/** What the field shows: what was typed, for as long as that is the value. "0.0" is 0, and may become 0.05. */
export const shownNumber = (typed: TypedNumber, value: number | undefined): TypedNumber =>
  numberOf(typed) === value ? typed : (value ?? "");

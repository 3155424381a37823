const lastMoment = Date.UTC(9999, 11, 31);

/** A file time in ms, which may be invalid or out of range, as a date in the range of RFC 3339. */
export const wireDate = (ms: number): Date => new Date(Math.min(Math.max(ms || 0, 0), lastMoment));

/** A date that another server sent, as text or in ms, in the same range; undefined for none, and for what is no date. */
export function dateSent(sent: string | number | undefined): Date | undefined {
  const ms = new Date(sent ?? NaN).getTime();
  return Number.isNaN(ms) ? undefined : wireDate(ms);
}

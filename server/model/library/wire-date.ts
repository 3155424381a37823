const lastMoment = Date.UTC(9999, 11, 31);

/** A time of the file system in ms, which may be none or beyond all years, as a date that RFC 3339 can write. */
export const wireDate = (ms: number): Date => new Date(Math.min(Math.max(ms || 0, 0), lastMoment));

/**
 * Whether something must wait longer. What lies in the future (the clock has been put back) need not wait at all: nobody
 * waits longer than the limit.
 * @param ageMs negative for what lies in the future
 */
export const isYounger = (ageMs: number, limitMs: number): boolean => ageMs >= 0 && ageMs < limitMs;

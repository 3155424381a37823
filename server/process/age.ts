/**
 * Whether something must wait longer. Times in the future, after the clock was put back, need not wait.
 * @param ageMs negative for times in the future
 */
export const isYounger = (ageMs: number, limitMs: number): boolean => ageMs >= 0 && ageMs < limitMs;

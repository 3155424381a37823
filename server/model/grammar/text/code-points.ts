/** Sets of Unicode characters, as sorted ranges that do not touch: `[first, last, first, last, …]`. */
export type CodePoints = readonly number[];

export const lastCodePoint = 0x10ffff;
/** Every character that a text can hold; surrogates alone are none. */
export const anyCodePoint: CodePoints = [0, 0xd7ff, 0xe000, lastCodePoint];

export const rangesOf = (set: CodePoints): (readonly [first: number, last: number])[] =>
  Array.from({ length: set.length / 2 }, (_, at) => [set[2 * at] ?? 0, set[2 * at + 1] ?? 0]);

/** All that is in one of these. */
export function union(...sets: readonly CodePoints[]): CodePoints {
  const merged: number[] = [];
  for (const [first, last] of sets.flatMap(rangesOf).sort((a, b) => a[0] - b[0])) {
    const end = merged.at(-1);
    if (end !== undefined && first <= end + 1) merged[merged.length - 1] = Math.max(end, last);
    else merged.push(first, last);
  }
  return merged;
}

/** Every character but these. */
export function complement(set: CodePoints): CodePoints {
  const rest: number[] = [];
  let next = 0;
  for (const [first, last] of rangesOf(set)) {
    if (next < first) rest.push(next, first - 1);
    next = last + 1;
  }
  if (next <= lastCodePoint) rest.push(next, lastCodePoint);
  return intersection(rest, anyCodePoint);
}

export function intersection(a: CodePoints, b: CodePoints): CodePoints {
  const common: number[] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length;) {
    const [endOfA, endOfB] = [a[i + 1] ?? 0, b[j + 1] ?? 0];
    const first = Math.max(a[i] ?? 0, b[j] ?? 0);
    const last = Math.min(endOfA, endOfB);
    if (first <= last) common.push(first, last);
    if (endOfA < endOfB) i += 2;
    else j += 2;
  }
  return common;
}

export const hasCodePoint = (set: CodePoints, point: number): boolean =>
  rangesOf(set).some(([first, last]) => first <= point && point <= last);

/** The characters that a regular expression for one of them matches. */
export function codePointsMatching(expression: RegExp): CodePoints {
  const found: number[] = [];
  for (let point = 0; point <= lastCodePoint; point++) {
    if (point === 0xd800) point = 0xe000;
    if (!expression.test(String.fromCodePoint(point))) continue;
    if (found.at(-1) === point - 1) found[found.length - 1] = point;
    else found.push(point, point);
  }
  return found;
}

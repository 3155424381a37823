/** The change of a file, in the form of a unified diff. */

const contextLines = 3;
const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\r?\n$/, "").split(/\r?\n/));

/** @param before the present text; `undefined` if there is no file yet */
export function showDiff(path: string, before: string | undefined, after: string): string {
  const [old, now] = [linesOf(before ?? ""), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same < shorter && old[same] === now[same]) same++;
  let sameAtEnd = 0;
  while (sameAtEnd < shorter - same && old.at(-1 - sameAtEnd) === now.at(-1 - sameAtEnd)) sameAtEnd++;
  const first = Math.max(0, same - contextLines);
  const behind = Math.min(sameAtEnd, contextLines);
  const range = (lines: readonly string[]) => {
    const count = lines.length - sameAtEnd + behind - first;
    return `${String(count === 0 ? 0 : first + 1)},${String(count)}`;
  };
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => mark + line);
  return [
    `--- ${before === undefined ? "/dev/null" : path}`,
    `+++ ${path}`,
    `@@ -${range(old)} +${range(now)} @@`,
    ...marked(" ", now.slice(first, same)),
    ...marked("-", old.slice(same, old.length - sameAtEnd)),
    ...marked("+", now.slice(same, now.length - sameAtEnd)),
    ...marked(" ", now.slice(now.length - sameAtEnd, now.length - sameAtEnd + behind)),
  ].join("\n");
}

/** Finds the common lines of two texts. */
export interface ChangedLine {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Longer texts are not compared, because the table of all pairs would be too large. */
const mostLines = 2_000;

/** The lines of both texts in order; undefined for texts that are too long to compare. */
export function lineChanges(before: string, after: string): ChangedLine[] | undefined {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  if (old.length > mostLines || fresh.length > mostLines) return undefined;
  const width = fresh.length + 1;
  // lengths[i * width + j]: of the longest common subsequence of old from i and fresh from j
  const lengths = new Uint16Array((old.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      lengths[i * width + j] = old[i] === fresh[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const changes: ChangedLine[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [gone = "", came = ""] = [old[i], fresh[j]];
    if (i < old.length && j < fresh.length && gone === came) {
      changes.push({ kind: "same", text: gone });
      i++;
      j++;
    } else if (j >= fresh.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) {
      changes.push({ kind: "removed", text: gone });
      i++;
    } else {
      changes.push({ kind: "added", text: came });
      j++;
    }
  }
  return changes;
}

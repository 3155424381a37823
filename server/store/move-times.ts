import type { StateRow } from "./state-part.ts";

/** Moves the times of a row that are set, so that waits have the same length after loading as when they were saved. */
export const moveTimes = (row: StateRow, names: readonly string[], ms: number): StateRow => ({
  ...row,
  ...Object.fromEntries(
    names.flatMap((name) => {
      const time = row[name];
      return typeof time === "number" ? [[name, time + ms]] : [];
    }),
  ),
});

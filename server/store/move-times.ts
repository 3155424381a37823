import type { StateRow } from "./state-part.ts";

/** Moves those times of a row that are set, so that what was waited for when it was saved is as far away when it is loaded. */
export const moveTimes = (row: StateRow, names: readonly string[], ms: number): StateRow => ({
  ...row,
  ...Object.fromEntries(
    names.flatMap((name) => {
      const time = row[name];
      return typeof time === "number" ? [[name, time + ms]] : [];
    }),
  ),
});

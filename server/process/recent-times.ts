/** Enough for a picture of the last minutes. */
const mostTimes = 50;

/** The times of the newest events, oldest first, as the console draws them, by the real clock. */
export function createRecentTimes() {
  const times: number[] = [];
  return {
    add(): void {
      times.push(Date.now());
      if (times.length > mostTimes) times.shift();
    },
    /** ISO dates. */
    list: (): string[] => times.map((time) => new Date(time).toISOString()),
  };
}
export type RecentTimes = ReturnType<typeof createRecentTimes>;

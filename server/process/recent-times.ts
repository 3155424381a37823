/** The times of the newest events, oldest first, as the console draws them. */
export interface RecentTimes {
  add(): void;
  /** ISO dates. */
  list(): string[];
}

/** Enough for a picture of the last minutes. */
const mostTimes = 50;

/** Uses the real clock, not the simulated one. */
export function createRecentTimes(): RecentTimes {
  const times: number[] = [];
  return {
    add() {
      times.push(Date.now());
      if (times.length > mostTimes) times.shift();
    },
    list: () => times.map((time) => new Date(time).toISOString()),
  };
}

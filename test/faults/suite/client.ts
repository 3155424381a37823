/** Does one thing, under a name of its own, whatever becomes of it; then it pauses. */
export type Client = readonly [pauseMs: number, act: (name: string) => Promise<unknown>];

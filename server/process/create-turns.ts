/** Runs work after all that was given before has ended, in success or failure. */
export type InTurn = <Value>(work: () => Promise<Value>) => Promise<Value>;

export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/**
 * Finds each result once, by its key, and remembers the newest. Failures are forgotten unless they last: something else may
 * have been at fault.
 */
export function rememberResults<Result>(most: number, lasts: (error: unknown) => boolean = () => false) {
  const known = new Map<string, Promise<Result>>();
  return (key: string, find: () => Promise<Result>): Promise<Result> => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const [oldest] = known.keys();
    if (known.size >= most && oldest !== undefined) known.delete(oldest);
    const result = find();
    known.set(key, result);
    result.catch((error: unknown) => {
      if (!lasts(error)) known.delete(key);
    });
    return result;
  };
}

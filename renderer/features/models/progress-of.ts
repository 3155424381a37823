/** Yields the progress of `work`, only the latest if several came since, and returns its result. */
export async function* progressOf<News, Result>(
  work: (report: (news: News) => void) => Promise<Result>,
): AsyncGenerator<News, Result> {
  let news: News[] = [];
  let woken = Promise.withResolvers<void>();
  const result = work((one) => {
    news = [one];
    woken.resolve();
  });
  const ended = result.then(
    () => true,
    () => true,
  );
  for (let isDone = false; !isDone;) {
    isDone = await Promise.race([ended, woken.promise.then(() => false)]);
    woken = Promise.withResolvers();
    yield* news.splice(0);
  }
  return await result;
}

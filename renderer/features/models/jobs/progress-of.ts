/** Yields the progress of `work`, only the latest if several came since, and returns its result. */
export async function* progressOf<News, Result>(
  work: (report: (news: News) => void) => Promise<Result>,
): AsyncGenerator<News, Result> {
  let news: News[] = [];
  let isOver = false;
  let woken = Promise.withResolvers<void>();
  const result = work((one) => {
    news = [one];
    woken.resolve();
  });
  const end = () => {
    isOver = true;
    woken.resolve();
  };
  result.then(end, end);
  for (let isDone = false; !isDone;) {
    await woken.promise;
    woken = Promise.withResolvers();
    isDone = isOver;
    yield* news.splice(0);
  }
  return await result;
}

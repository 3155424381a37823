import type { ProgressLine } from "../../../contract/model/ollama-library.ts";

/** Runs the work and yields the statuses that it reports; returns its result. @throws what it throws */
export async function* yieldStatuses<Result>(
  work: (report: (status: string) => void) => Promise<Result>,
): AsyncGenerator<ProgressLine, Result> {
  const statuses: string[] = [];
  let isOver = false;
  let news = Promise.withResolvers<void>();
  const result = work((status) => {
    statuses.push(status);
    news.resolve();
  });
  const end = () => {
    isOver = true;
    news.resolve();
  };
  result.then(end, end);
  for (;;) {
    await news.promise;
    news = Promise.withResolvers();
    for (const status of statuses.splice(0)) yield { status };
    if (isOver) return result;
  }
}

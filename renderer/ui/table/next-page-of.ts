import type { UseInfiniteQueryResult } from "@tanstack/react-query";

/** A failure renders the list again, whose end is still near: only later scrolling asks again. */
const pauseMs = 1_000;

type Pages = Pick<
  UseInfiniteQueryResult,
  "hasNextPage" | "isFetching" | "isFetchNextPageError" | "errorUpdatedAt" | "fetchNextPage"
>;

/**
 * A function that fetches an infinite query's next page unless there is none or the query is being fetched. Must be called
 * while rendering: the query renders anew by what is read of it then.
 */
export function nextPageOf(pages: Pages): () => void {
  const { hasNextPage, isFetching, isFetchNextPageError, errorUpdatedAt, fetchNextPage } = pages;
  return () => {
    const hasJustFailed = isFetchNextPageError && Date.now() - errorUpdatedAt < pauseMs;
    if (hasNextPage && !isFetching && !hasJustFailed) void fetchNextPage();
  };
}

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { nextPageOf } from "../../../../renderer/ui/table/next-page-of.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const fetchNextPage = vi.fn();
const asks = (pages: Partial<Parameters<typeof nextPageOf>[0]>) => {
  fetchNextPage.mockClear();
  const rest = { hasNextPage: true, isFetching: false, isFetchNextPageError: false, errorUpdatedAt: 0 };
  nextPageOf({ ...rest, ...pages, fetchNextPage })();
  return fetchNextPage.mock.calls.length === 1;
};

it("the next page of an endless list is asked for unless there is none or the list is being fetched", () => {
  expect(asks({})).toBe(true);
  expect(asks({ hasNextPage: false })).toBe(false);
  expect(asks({ isFetching: true })).toBe(false);
});

it("a next page that failed is asked for again by later scrolling, not by what the failure itself shows", () => {
  const failed = { isFetchNextPageError: true, errorUpdatedAt: Date.now() };
  expect(asks(failed)).toBe(false);
  vi.advanceTimersByTime(1_000);
  expect(asks(failed)).toBe(true);
});

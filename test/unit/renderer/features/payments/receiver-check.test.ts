import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import type { Call } from "../../../../../renderer/api/http/call.ts";
import { ConsoleError } from "../../../../../renderer/api/http/console-error.ts";
import { receiverCheckQuery } from "../../../../../renderer/features/payments/receiver/use-receiver-check.ts";

it("A check that was running when the simulator ended is over, and not asked for again", async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const running = { state: "running" };
  let isAnew = false;
  const call = (() =>
    isAnew ? Promise.reject(new ConsoleError(404, "not there")) : Promise.resolve(running)) as unknown as Call;
  const observer = new QueryObserver(queries, receiverCheckQuery(call, 1));
  const stop = observer.subscribe(() => undefined);
  const { refetchInterval } = receiverCheckQuery(call, 1);
  const asksAgain = () => typeof refetchInterval === "function" && refetchInterval(observer.getCurrentQuery());
  await expect.poll(() => observer.getCurrentResult().data).toEqual(running);
  expect(asksAgain()).toBeTypeOf("number");
  isAnew = true;
  await observer.refetch();
  expect([observer.getCurrentResult().data, asksAgain()]).toEqual([null, false]);
  stop();
  queries.clear();
});

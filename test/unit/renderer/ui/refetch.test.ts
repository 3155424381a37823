import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { refetch } from "../../../../renderer/ui/refetch.ts";
import { overviewQuery, syncOverview } from "../../../../renderer/api/queries/use-overview.ts";

const key = ["list"];
/** A server whose replies say what it held when it was asked, and come when the test lets them. */
function slowServer() {
  let held = 0;
  const waiting: (() => void)[] = [];
  return {
    change: () => ++held,
    asked: 0,
    get waiting() {
      return waiting.length;
    },
    ask(): Promise<number> {
      this.asked++;
      const reply = held;
      return new Promise((resolve) => waiting.push(() => resolve(reply)));
    },
    answer: () => waiting.splice(0).forEach((reply) => reply()),
  };
}
type Server = ReturnType<typeof slowServer>;

const client = () => new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
function shown(server: Server, queries = client()) {
  const observer = new QueryObserver(queries, { queryKey: key, queryFn: () => server.ask() });
  observer.subscribe(() => undefined);
  return { queries, data: () => observer.getCurrentResult().data };
}
const isAsked = (server: Server) => expect.poll(() => server.waiting).toBe(1);

describe("What has changed", () => {
  it("is fetched after the page's first fetch, which was answered before the change", async () => {
    const server = slowServer();
    const { queries, data } = shown(server);
    server.change();
    const current = refetch(queries, key);
    server.answer();
    await isAsked(server);
    expect(data()).toBe(0);
    server.answer();
    await current;
    expect(data()).toBe(1);
  });

  it("is fetched once for all who hear of it, and once more for what changes meanwhile", async () => {
    const server = slowServer();
    const { queries, data } = shown(server);
    server.answer();
    await expect.poll(data).toBe(0);
    const changed = () => {
      server.change();
      return Promise.all([refetch(queries, key), refetch(queries, key)]);
    };
    void changed();
    await isAsked(server);
    expect(server.asked).toBe(2);
    const storm = Array.from({ length: 20 }, changed);
    server.answer();
    await isAsked(server);
    server.answer();
    await Promise.all(storm);
    expect(server.asked).toBe(3);
    expect(data()).toBe(21);
  });

  it("is fetched once it is shown, where it is not", async () => {
    const server = slowServer();
    const queries = client();
    const hidden = queries.fetchQuery({ queryKey: key, queryFn: () => server.ask() });
    server.change();
    const current = refetch(queries, key);
    server.answer();
    await Promise.all([hidden, current]);
    expect(server.asked).toBe(1);
    const { data } = shown(server, queries);
    await isAsked(server);
    server.answer();
    await expect.poll(data).toBe(1);
  });
});

describe("The overview", () => {
  it("is current where a service comes up while it is fetched for the first time", async () => {
    const server = slowServer();
    const queries = client();
    let onOpen: () => void = () => undefined;
    const live = {
      subscribe: () => () => undefined,
      subscribeOpen: (listen: () => void) => ((onOpen = listen), () => undefined),
    };
    const call = (async () => ({ services: [], damage: await server.ask() })) as never;
    syncOverview({ call, live: live as never }, queries);
    void queries.prefetchQuery(overviewQuery(call));
    server.change();
    onOpen();
    server.answer();
    await isAsked(server);
    server.answer();
    await expect.poll(() => queries.getQueryData(["overview"])).toMatchObject({ damage: 1 });
  });
});

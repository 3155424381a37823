import { createMemoryHistory, createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import { expect, it } from "vitest";
import { whileAt } from "../../../../renderer/api/address/while-at.ts";

/** The page of requests, and what its answers have opened. */
function openPage(at: string) {
  const root = createRootRoute();
  const pages = ["/requests", "/settings"].map((path) => createRoute({ getParentRoute: () => root, path }));
  const history = createMemoryHistory({ initialEntries: [at] });
  const router = createRouter({ routeTree: root.addChildren(pages), basepath: "/console/", history });
  history.subscribe(router.updateLatestLocation);
  const opened: string[] = [];
  const open = whileAt(router, "/requests", async (request: string) => void opened.push(request));
  return { history, open, opened };
}

it("An answer opens what it brought on the page that asked, however its address is written", async () => {
  for (const at of ["/console/requests", "/console/requests/?status=failed"]) {
    const { open, opened } = openPage(at);
    await open("7");
    expect([at, opened]).toEqual([at, ["7"]]);
  }
});

it("An answer opens nothing while the reader is at another page, though that is still being loaded", async () => {
  const { history, open, opened } = openPage("/console/requests");
  history.push("/console/settings");
  await open("7");
  expect(opened).toEqual([]);
  history.back();
  await open("8");
  expect(opened).toEqual(["8"]);
});

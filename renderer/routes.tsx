/** Which page is at which address. The pages' code is fetched when it is needed. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { z } from "zod";
import { FailedPage, NotFoundPage } from "./shell/failure-pages.tsx";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({ component: Shell, notFoundComponent: NotFoundPage });
/** What is no fit value is left out, so that an old or mistyped address still opens the page. */
const text = z.string().min(1).optional().catch(undefined);
const id = z.string().regex(/^\d+$/).optional().catch(undefined);

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(() => import("./features/overview/overview-panel.tsx"), "OverviewPanel"),
});
const events = createRoute({
  getParentRoute: () => root,
  path: "/events",
  validateSearch: z.object({ type: text, event: id }),
  component: lazyRouteComponent(() => import("./features/events/events-panel.tsx"), "EventsPanel"),
});
const uploads = createRoute({
  getParentRoute: () => root,
  path: "/uploads",
  validateSearch: z.object({ upload: id }),
  component: lazyRouteComponent(() => import("./features/uploads/uploads-panel.tsx"), "UploadsPanel"),
});
const chat = createRoute({
  getParentRoute: () => root,
  path: "/chat",
  component: lazyRouteComponent(() => import("./features/chat/chat-panel.tsx"), "ChatPanel"),
});
const apiDocs = createRoute({
  getParentRoute: () => root,
  path: "/api-docs",
  component: lazyRouteComponent(() => import("./features/api-docs/api-docs-panel.tsx"), "ApiDocsPanel"),
});

export const createConsoleRouter = () =>
  createRouter({
    routeTree: root.addChildren([overview, events, uploads, chat, apiDocs]),
    basepath: import.meta.env.BASE_URL,
    defaultPreload: "intent",
    defaultErrorComponent: FailedPage,
    // Plain names and values in the address, instead of JSON.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: writeSearch,
  });

function writeSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}

/** The pages by address. Each page's code is fetched when it is needed, except that of the first page. */
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { chatSearch } from "./features/chat/chat-search.ts";
import { collectionsSearch } from "./features/collections/collections-search.ts";
import { eventsSearch } from "./features/events/events-search.ts";
import { faultsSearch } from "./features/faults/faults-search.ts";
import { fileEventsSearch } from "./features/file-events/file-events-search.ts";
import { guidesSearch } from "./features/guides/guides-search.ts";
import { modelsSearch } from "./features/models/models-search.ts";
import { OverviewPanel } from "./features/overview/overview-panel.tsx";
import { paymentsSearch } from "./features/payments/payments-search.ts";
import { phoneSearch } from "./features/phone/phone-search.ts";
import { requestsSearch } from "./features/requests/requests-search.ts";
import { settingsSearch } from "./features/settings/settings-search.ts";
import { uploadsSearch } from "./features/uploads/uploads-search.ts";
import { usersSearch } from "./features/users/users-search.ts";
import { fidelitySearch } from "./features/fidelity/fidelity-search.ts";
import { FailedPage, NotFoundPage } from "./shell/failure-pages.tsx";
import { Shell } from "./shell/shell.tsx";

interface RouterContext {
  /** Fetches a file of texts; undefined when they are there already. */
  loadTexts: (page: string) => Promise<void> | undefined;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Shell, notFoundComponent: NotFoundPage });

/** Has a page wait for its files of texts, which are fetched beside its code. */
const textsOf =
  (...files: readonly string[]) =>
  ({ context: { loadTexts } }: { context: RouterContext }) => {
    const fetched = files.map((file) => loadTexts(file)).filter((one) => one !== undefined);
    return fetched.length > 0 ? Promise.all(fetched) : undefined;
  };

const overview = createRoute({
  getParentRoute: () => root,
  path: "/",
  loader: textsOf("overview"),
  component: OverviewPanel,
});
const requests = createRoute({
  getParentRoute: () => root,
  path: "/requests",
  validateSearch: requestsSearch,
  loader: textsOf("requests", "fault-names"),
  component: lazyRouteComponent(() => import("./features/requests/requests-panel.tsx"), "RequestsPanel"),
});
const events = createRoute({
  getParentRoute: () => root,
  path: "/events",
  validateSearch: eventsSearch,
  loader: textsOf("events", "fault-names"),
  component: lazyRouteComponent(() => import("./features/events/events-panel.tsx"), "EventsPanel"),
});
const phone = createRoute({
  getParentRoute: () => root,
  path: "/phone",
  validateSearch: phoneSearch,
  loader: textsOf("phone"),
  component: lazyRouteComponent(() => import("./features/phone/phone-panel.tsx"), "PhonePanel"),
});
const users = createRoute({
  getParentRoute: () => root,
  path: "/users",
  validateSearch: usersSearch,
  loader: textsOf("users"),
  component: lazyRouteComponent(() => import("./features/users/users-panel.tsx"), "UsersPanel"),
});
const payments = createRoute({
  getParentRoute: () => root,
  path: "/payments",
  validateSearch: paymentsSearch,
  loader: textsOf("payments", "fault-names"),
  component: lazyRouteComponent(() => import("./features/payments/payments-panel.tsx"), "PaymentsPanel"),
});
const faults = createRoute({
  getParentRoute: () => root,
  path: "/faults",
  validateSearch: faultsSearch,
  loader: textsOf("faults"),
  component: lazyRouteComponent(() => import("./features/faults/faults-panel.tsx"), "FaultsPanel"),
});
const collections = createRoute({
  getParentRoute: () => root,
  path: "/collections",
  validateSearch: collectionsSearch,
  loader: textsOf("collections"),
  component: lazyRouteComponent(() => import("./features/collections/collections-panel.tsx"), "CollectionsPanel"),
});
const uploads = createRoute({
  getParentRoute: () => root,
  path: "/uploads",
  validateSearch: uploadsSearch,
  loader: textsOf("uploads"),
  component: lazyRouteComponent(() => import("./features/uploads/uploads-panel.tsx"), "UploadsPanel"),
});
const fileEvents = createRoute({
  getParentRoute: () => root,
  path: "/file-events",
  validateSearch: fileEventsSearch,
  loader: textsOf("file-events"),
  component: lazyRouteComponent(() => import("./features/file-events/file-events-panel.tsx"), "FileEventsPanel"),
});
const chat = createRoute({
  getParentRoute: () => root,
  path: "/chat",
  validateSearch: chatSearch,
  loader: textsOf("chat"),
  component: lazyRouteComponent(() => import("./features/chat/chat-panel.tsx"), "ChatPanel"),
});
const models = createRoute({
  getParentRoute: () => root,
  path: "/models",
  validateSearch: modelsSearch,
  loader: textsOf("models"),
  component: lazyRouteComponent(() => import("./features/models/models-panel.tsx"), "ModelsPanel"),
});
const apiDocs = createRoute({
  getParentRoute: () => root,
  path: "/api-docs",
  loader: textsOf("api-docs"),
  component: lazyRouteComponent(() => import("./features/api-docs/api-docs-panel.tsx"), "ApiDocsPanel"),
});
const guides = createRoute({
  getParentRoute: () => root,
  path: "/guides",
  validateSearch: guidesSearch,
  loader: textsOf("guides"),
  component: lazyRouteComponent(() => import("./features/guides/guides-panel.tsx"), "GuidesPanel"),
});
const fidelity = createRoute({
  getParentRoute: () => root,
  path: "/fidelity",
  validateSearch: fidelitySearch,
  loader: textsOf("fidelity"),
  component: lazyRouteComponent(() => import("./features/fidelity/fidelity-panel.tsx"), "FidelityPanel"),
});
const devices = createRoute({
  getParentRoute: () => root,
  path: "/devices",
  loader: textsOf("devices"),
  component: lazyRouteComponent(() => import("./features/devices/devices-panel.tsx"), "DevicesPanel"),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch: settingsSearch,
  loader: textsOf("settings"),
  component: lazyRouteComponent(() => import("./features/settings/settings-panel.tsx"), "SettingsPanel"),
});

const pages = [
  overview,
  requests,
  events,
  phone,
  users,
  payments,
  faults,
  collections,
  uploads,
  fileEvents,
  chat,
  models,
  apiDocs,
  guides,
  fidelity,
  devices,
  settings,
] as const;

export const createConsoleRouter = (context: RouterContext) =>
  createRouter({
    routeTree: root.addChildren(pages),
    context,
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

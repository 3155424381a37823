/** Puts the console together: the only place where its parts are made. */
import "./zod-without-eval.ts";
import "./mantine.css";
import "./ui/surfaces.css";
import "./global.css";
import "./frame.css";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { createToken } from "../server/contract/console/console-endpoints.ts";
import { createModelClient } from "../server/contract/model/model-client.ts";
import { createAccess } from "./api/http/access.ts";
import { appOrigin } from "./api/http/app-origin.ts";
import { apiServiceKey, type Api } from "./api/use-api.ts";
import { createCall, createSend } from "./api/http/call.ts";
import { hearthWindow } from "./api/desktop/hearth-window.ts";
import { createLiveEvents } from "./api/events/event-source.ts";
import type { OpenStream } from "./api/events/keep-open.ts";
import { modelTransport } from "./api/http/model-transport.ts";
import { createNameLoader } from "./api/queries/name-loader.ts";
import { forgetReplaced } from "./api/events/resets.ts";
import { syncOverview } from "./api/queries/use-overview.ts";
import { modelsKey } from "./api/queries/use-installed-models.ts";
import { createSendBody, sendBodyWhenIn } from "./api/http/send-body.ts";
import { createUploadFile } from "./api/http/upload-file.ts";
import { createChatStorage } from "./features/chat/conversations/chat-storage.ts";
import { chatsKey, Chats } from "./features/chat/conversations/chats.ts";
import { phonesKey, type Phones } from "./features/phone/use-phones.ts";
import { createModelJobs, modelJobsKey } from "./features/models/jobs/model-jobs.ts";
import { runModelJob } from "./features/models/jobs/run-job.ts";
import { UploadQueue, uploadQueueKey } from "./features/uploads/upload-queue.ts";
import { FormatsProvider } from "./i18n/formats-context.tsx";
import { chooseLanguageKey, createTranslations } from "./i18n/setup.ts";
import { createConsoleRouter } from "./routes.tsx";
import { LoginGate } from "./shell/login/login-gate.tsx";
import { takeRefusal } from "./shell/login/login-refusal.ts";
import { keepTypedText } from "./shell/typed-text/typed-text.ts";
import { theme, themeVariables } from "./theme.ts";
import { actionsKey, type Action } from "./ui/keyboard/actions.ts";
import { createDroppedModel, droppedModelKey } from "./ui/forms/dropped-model.ts";
import { ConfirmProvider } from "./ui/dialogs/confirm.tsx";
import { keepFetchingStyles } from "./ui/lazy-part.ts";
import { stopInputMethodKey } from "./ui/keyboard/input-method.ts";
import { keepFocus } from "./ui/keyboard/keep-focus.ts";
import { createRegistry } from "./ui/keyboard/registry.ts";
import { provide, ServicesContext } from "./ui/services.ts";
import { createShortcuts, shortcutsKey } from "./ui/keyboard/shortcuts.ts";
import { createTicker, tickerKey } from "./ui/marks/ticker.ts";
import { ToastProvider } from "./ui/dialogs/toast-provider.tsx";
import { refetch } from "./ui/refetch.ts";

const access = createAccess();
/** The request, asking for messages in the language of the page, which need not be the browser's. */
function inPageLanguage(init: RequestInit = {}): RequestInit {
  const headers = new Headers(init.headers);
  headers.set("accept-language", document.documentElement.lang);
  return { ...init, headers };
}

const translations = createTranslations(localStorage, navigator.languages, document.documentElement);
const sayFailure = (failure: "offline" | "cut") => translations.i18n.t(`failure.${failure}`);
const send = createSend((input, init) => fetch(input, inPageLanguage(init)), access, sayFailure);
const sendBody = createSendBody(() => sayFailure("offline"));
const call = createCall(send);
const openStream: OpenStream = (path) => access.whenIn()?.then(() => new EventSource(path)) ?? new EventSource(path);
const api: Api = {
  access,
  call,
  send,
  openStream,
  models: createModelClient(modelTransport(send, sendBodyWhenIn(access, sendBody))),
  live: createLiveEvents(() => openStream("/console/api/events/stream")),
  names: createNameLoader(call),
};
const queries = new QueryClient({
  defaultOptions: {
    // What changes is announced by the event stream, and failures are asked about again by each page's own rule.
    queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
});
const uploads = new UploadQueue({
  upload: createUploadFile(sendBody, appOrigin),
  createToken: async () => (await call(createToken, { body: {} })).access_token,
  onStored: () => void refetch(queries, ["uploads"]),
});
const modelJobs = createModelJobs({
  run: runModelJob(api.models),
  onEnd: () => void refetch(queries, [modelsKey]),
  // The desktop window is the only one with its storage, and has its pulls again after the next start.
  storage: hearthWindow === undefined ? sessionStorage : localStorage,
  now: () => performance.now(),
});
const chats = new Chats({
  chat: api.models.chat,
  storage: createChatStorage(call),
  now: Date.now,
  createId: () => Date.now().toString(36),
});
const phones: Phones = {
  deps: {
    app: appOrigin,
    call,
    fetch: (input, init) => fetch(input, init),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: Date.now,
    storage: localStorage,
  },
  made: new Map(),
};
const shortcuts = createShortcuts(() => localStorage.getItem("hearth.plain-keys") !== "false");
const actions = createRegistry<() => readonly Action[]>();
const refusal = takeRefusal(location, history);
const router = createConsoleRouter({ loadTexts: translations.load });
addEventListener("keydown", stopInputMethodKey, { capture: true });
keepTypedText(document, sessionStorage);
keepFocus(document, "#content");
keepFetchingStyles(document);
const container = document.getElementById("root");
if (!container) throw new Error("index.html has no element with the id root");
addEventListener("keydown", (event) => {
  if (!access.loggedOut.getState()) shortcuts.press(event);
});

const services = new Map([
  provide(apiServiceKey, api),
  provide(chooseLanguageKey, translations.choose),
  provide(tickerKey, createTicker(document)),
  provide(shortcutsKey, shortcuts),
  provide(actionsKey, actions),
  provide(uploadQueueKey, uploads),
  provide(chatsKey, chats),
  provide(modelJobsKey, modelJobs),
  provide(phonesKey, phones),
  provide(droppedModelKey, createDroppedModel()),
]);
const page = (
  <StrictMode>
    <I18nextProvider i18n={translations.i18n}>
      <MantineProvider theme={theme} cssVariablesResolver={themeVariables} defaultColorScheme="auto">
        <QueryClientProvider client={queries}>
          <ServicesContext value={services}>
            <FormatsProvider>
              <ToastProvider>
                <ConfirmProvider>
                  <RouterProvider router={router} />
                  <LoginGate refusal={refusal} />
                </ConfirmProvider>
              </ToastProvider>
            </FormatsProvider>
          </ServicesContext>
        </QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>
  </StrictMode>
);

// What the first page shows is fetched at once and side by side: its code, the texts, and what the shell shows on every page.
// Not by an await of this module: the pages' code imports from the chunk that it is in, and would wait for it. The stream is
// opened before the page asks for anything, so that its opening has nothing fetched twice.
syncOverview(api, queries);
forgetReplaced(api.live, queries);
// What could not be stored or loaded while the server was away is, once it is back.
api.live.subscribeOpen(() => {
  const { loaded, problem } = chats.store.getState();
  if (loaded || problem !== undefined) void chats.load();
});
api.live.start();
void Promise.all([translations.ready, router.load()]).then(() => {
  // As a transition, the first rendering lets the browser in between.
  startTransition(() => createRoot(container).render(page));
});

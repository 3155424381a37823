/** Puts the console together: the only place where its parts are made. */
import "./zod-without-eval.ts";
import "./mantine.css";
import "./ui/surfaces.css";
import "./global.css";
import "./frame.css";
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { forgetReplaced } from "./api/events/resets.ts";
import { apiServiceKey } from "./api/use-api.ts";
import { syncOverview } from "./api/queries/use-overview.ts";
import { createApi } from "./create-api.ts";
import { createJobs, createPhones, createStoredChats, createUploadQueue } from "./create-services.ts";
import { chatsKey } from "./features/chat/conversations/chats.ts";
import { modelJobsKey } from "./features/models/jobs/model-jobs.ts";
import { phonesKey } from "./features/phone/use-phones.ts";
import { uploadQueueKey } from "./features/uploads/upload-queue.ts";
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

const translations = createTranslations(localStorage, navigator.languages, document.documentElement);
const { api, sendBody } = createApi((failure) => translations.i18n.t(`failure.${failure}`));
const queries = new QueryClient({
  defaultOptions: {
    // Events announce changes, and each page has its own rule for retries.
    queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, networkMode: "always" },
    mutations: { networkMode: "always" },
  },
});
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
  if (!api.access.loggedOut.getState()) shortcuts.press(event);
});

const services = new Map([
  provide(apiServiceKey, api),
  provide(chooseLanguageKey, translations.choose),
  provide(tickerKey, createTicker(document)),
  provide(shortcutsKey, shortcuts),
  provide(actionsKey, actions),
  provide(uploadQueueKey, createUploadQueue(api, sendBody, queries)),
  provide(chatsKey, createStoredChats(api)),
  provide(modelJobsKey, createJobs(api, queries)),
  provide(phonesKey, createPhones(api)),
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
                  <LoginGate refusal={refusal} router={router} />
                </ConfirmProvider>
              </ToastProvider>
            </FormatsProvider>
          </ServicesContext>
        </QueryClientProvider>
      </MantineProvider>
    </I18nextProvider>
  </StrictMode>
);

// The first page's code, the texts and the overview are fetched in parallel. This module does not await them: the pages' code
// imports from its chunk, and would wait for it. The stream is opened first, so that its opening causes no second fetch.
syncOverview(api, queries);
forgetReplaced(api.live, queries);
api.live.start();
void Promise.all([translations.ready, router.load()]).then(() => {
  // As a transition, the first rendering lets the browser in between.
  startTransition(() => createRoot(container).render(page));
});

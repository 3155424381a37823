/** Creates what continues while the user goes from page to page: uploads, chats, model jobs, phones. */
import type { QueryClient } from "@tanstack/react-query";
import { createToken } from "../server/contract/console/console-endpoints.ts";
import { hearthWindow } from "./api/desktop/hearth-window.ts";
import { appOrigin } from "./api/http/app-origin.ts";
import type { SendBody } from "./api/http/body-request.ts";
import { createUploadFile } from "./api/http/upload-file.ts";
import { modelsKey } from "./api/queries/use-installed-models.ts";
import type { Api } from "./api/use-api.ts";
import { createChatStorage } from "./features/chat/conversations/chat-storage.ts";
import { Chats } from "./features/chat/conversations/chats.ts";
import { createModelJobs } from "./features/models/jobs/model-jobs.ts";
import { runModelJob } from "./features/models/jobs/run-job.ts";
import type { Phones } from "./features/phone/use-phones.ts";
import { UploadQueue } from "./features/uploads/upload-queue.ts";
import { refetch } from "./ui/refetch.ts";

export const createUploadQueue = ({ call }: Api, sendBody: SendBody, queries: QueryClient) =>
  new UploadQueue({
    upload: createUploadFile(sendBody, appOrigin),
    createToken: async () => (await call(createToken, { body: {} })).access_token,
    onStored: () => void refetch(queries, ["uploads"]),
  });

export const createJobs = ({ models }: Api, queries: QueryClient) =>
  createModelJobs({
    run: runModelJob(models),
    onEnd: () => void refetch(queries, [modelsKey]),
    // The desktop window is the only one with its storage, and has its pulls again after the next start.
    storage: hearthWindow === undefined ? sessionStorage : localStorage,
    now: () => performance.now(),
  });

/** Chats that could not be loaded or stored while the server was away are retried when it is back. */
export function createStoredChats({ models, call, live }: Api): Chats {
  const chats = new Chats({
    chat: models.chat,
    storage: createChatStorage(call),
    now: Date.now,
    createId: () => Date.now().toString(36),
  });
  live.subscribeOpen(() => {
    const { loaded, problem } = chats.store.getState();
    if (loaded || problem !== undefined) void chats.load();
  });
  return chats;
}

export const createPhones = ({ call }: Api): Phones => ({
  deps: {
    app: appOrigin,
    call,
    fetch: (input, init) => fetch(input, init),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: Date.now,
    storage: localStorage,
  },
  made: new Map(),
});

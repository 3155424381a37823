/** The queue of files to send: several at a time, each with its progress, its result, and a way to stop it. */
import { createStore, type StoreApi } from "zustand/vanilla";
import { isUnauthorized, messageOfError } from "../../api/http/console-error.ts";
import type { UploadRequest } from "../../api/http/upload-request.ts";
import { serviceKey } from "../../ui/services.ts";

export type UploadTask = { readonly key: number; readonly name: string; readonly size: number } & (
  | { readonly state: "waiting" | "cancelled" }
  | { readonly state: "sending"; readonly sent: number }
  | { readonly state: "stored"; readonly id: number }
  | { readonly state: "failed"; readonly reason: string }
);

export interface UploadQueue {
  add(files: readonly File[], type: string): void;
  cancel(key: number): void;
  /** Removes a finished one from the list. */
  dismiss(key: number): void;
  readonly tasks: StoreApi<readonly UploadTask[]>;
}

export const uploadQueueKey = serviceKey<UploadQueue>("upload queue");

interface Deps {
  upload: (request: UploadRequest) => Promise<number>;
  createToken: () => Promise<string>;
  /** Called after each stored file. */
  onStored: () => void;
}

const atATime = 2;

export function createUploadQueue({ upload, createToken, onStored }: Deps): UploadQueue {
  const aborts = new Map<number, AbortController>();
  const waiting: { key: number; file: File; type: string }[] = [];
  const tasks = createStore<readonly UploadTask[]>(() => []);
  let token: Promise<string> | undefined;
  let lastKey = 0;
  let running = 0;

  const update = (key: number, change: (task: UploadTask) => UploadTask) =>
    tasks.setState((all) => all.map((task) => (task.key === key ? change(task) : task)), true);

  const send = async (file: File, type: string, key: number, signal: AbortSignal): Promise<number> => {
    const onProgress = (sent: number) => update(key, ({ name, size }) => ({ key, name, size, state: "sending", sent }));
    token ??= createToken();
    try {
      return await upload({ file, type, token: await token, signal, onProgress });
    } catch (error) {
      // The session may have ended: retries once with a new one.
      token = undefined;
      if (!isUnauthorized(error)) throw error;
      token = createToken();
      return upload({ file, type, token: await token, signal, onProgress });
    }
  };
  const run = async ({ key, file, type }: { key: number; file: File; type: string }) => {
    const abort = new AbortController();
    aborts.set(key, abort);
    const plain = { key, name: file.name, size: file.size };
    update(key, () => ({ ...plain, state: "sending", sent: 0 }));
    try {
      const id = await send(file, type, key, abort.signal);
      update(key, () => ({ ...plain, state: "stored", id }));
      onStored();
    } catch (error) {
      if (abort.signal.aborted) update(key, () => ({ ...plain, state: "cancelled" }));
      else update(key, () => ({ ...plain, state: "failed", reason: messageOfError(error) }));
    } finally {
      aborts.delete(key);
      running -= 1;
      startNext();
    }
  };
  const startNext = () => {
    while (running < atATime) {
      const next = waiting.shift();
      if (!next) return;
      running += 1;
      void run(next);
    }
  };

  return {
    add(files, type) {
      const added = files.map((file) => ({ key: (lastKey += 1), file, type }));
      const fresh = added.map(({ key, file }) => ({
        key,
        name: file.name,
        size: file.size,
        state: "waiting" as const,
      }));
      tasks.setState((all) => [...fresh, ...all], true);
      for (const upload of added) waiting.push(upload);
      startNext();
    },
    cancel(key) {
      aborts.get(key)?.abort();
      const index = waiting.findIndex((one) => one.key === key);
      if (index < 0) return;
      waiting.splice(index, 1);
      update(key, ({ name, size }) => ({ key, name, size, state: "cancelled" }));
    },
    dismiss: (key) => tasks.setState((all) => all.filter((task) => task.key !== key), true),
    tasks,
  };
}

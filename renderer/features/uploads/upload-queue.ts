/** The files being sent: a few at a time, each with its progress, its outcome, and a way to stop it. */
import { isUnauthorized, messageOfError } from "../../api/console-error.ts";
import type { UploadRequest } from "../../api/upload-request.ts";

export type UploadTask = { readonly key: number; readonly name: string; readonly size: number } & (
  | { readonly state: "waiting" | "cancelled" }
  | { readonly state: "sending"; readonly sent: number }
  | { readonly state: "stored"; readonly id: number }
  | { readonly state: "failed"; readonly reason: string }
);

export interface UploadQueue {
  add(files: readonly File[], type: string): void;
  cancel(key: number): void;
  /** Takes a finished one off the list. */
  dismiss(key: number): void;
  subscribe: (listen: () => void) => () => void;
  tasks: () => readonly UploadTask[];
}

interface Deps {
  upload: (request: UploadRequest) => Promise<number>;
  createToken: () => Promise<string>;
  /** Called after each stored file. */
  onStored: () => void;
}

const atATime = 2;

export function createUploadQueue({ upload, createToken, onStored }: Deps): UploadQueue {
  const listeners = new Set<() => void>();
  const aborts = new Map<number, AbortController>();
  const waiting: { key: number; file: File; type: string }[] = [];
  let tasks: readonly UploadTask[] = [];
  let token: Promise<string> | undefined;
  let lastKey = 0;
  let running = 0;

  const publish = (next: readonly UploadTask[]) => {
    tasks = next;
    for (const listen of listeners) listen();
  };
  const setState = (key: number, change: (task: UploadTask) => UploadTask) =>
    publish(tasks.map((task) => (task.key === key ? change(task) : task)));

  const send = async (file: File, type: string, key: number, signal: AbortSignal): Promise<number> => {
    const onProgress = (sent: number) =>
      setState(key, ({ name, size }) => ({ key, name, size, state: "sending", sent }));
    token ??= createToken();
    try {
      return await upload({ file, type, token: await token, signal, onProgress });
    } catch (error) {
      // The session may have ended meanwhile: once more with a new one.
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
    setState(key, () => ({ ...plain, state: "sending", sent: 0 }));
    try {
      const id = await send(file, type, key, abort.signal);
      setState(key, () => ({ ...plain, state: "stored", id }));
      onStored();
    } catch (error) {
      if (abort.signal.aborted) setState(key, () => ({ ...plain, state: "cancelled" }));
      else setState(key, () => ({ ...plain, state: "failed", reason: messageOfError(error) }));
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
      publish([
        ...added.map(({ key, file }) => ({ key, name: file.name, size: file.size, state: "waiting" as const })),
        ...tasks,
      ]);
      waiting.push(...added);
      startNext();
    },
    cancel(key) {
      aborts.get(key)?.abort();
      const index = waiting.findIndex((one) => one.key === key);
      if (index < 0) return;
      waiting.splice(index, 1);
      setState(key, ({ name, size }) => ({ key, name, size, state: "cancelled" }));
    },
    dismiss: (key) => publish(tasks.filter((task) => task.key !== key)),
    subscribe(listen) {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
    tasks: () => tasks,
  };
}

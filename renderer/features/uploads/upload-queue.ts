import { createStore } from "zustand/vanilla";
import { TaskQueue } from "../../api/actions/task-queue.ts";
import { isUnauthorized, messageOfError } from "../../api/http/console-error.ts";
import type { UploadRequest } from "../../api/http/upload-request.ts";
import { serviceKey } from "../../ui/services.ts";

type TaskState =
  | { readonly state: "waiting" | "cancelled" }
  | { readonly state: "sending"; readonly sent: number }
  | { readonly state: "stored"; readonly id: number }
  | { readonly state: "failed"; readonly reason: string };

export type UploadTask = { readonly key: number; readonly name: string; readonly size: number } & TaskState;

export const uploadQueueKey = serviceKey<UploadQueue>("upload queue");

interface Deps {
  readonly upload: (request: UploadRequest) => Promise<number>;
  readonly createToken: () => Promise<string>;
  /** Called after each stored file. */
  readonly onStored: () => void;
}

const mostAtOnce = 2;

/** The files to send, two at a time. A task goes from waiting over sending to stored, cancelled or failed. */
export class UploadQueue {
  readonly tasks = createStore<readonly UploadTask[]>(() => []);
  readonly #deps: Deps;
  readonly #queue = new TaskQueue(mostAtOnce);
  readonly #aborts = new Map<number, AbortController>();
  #token: Promise<string> | undefined;
  #lastKey = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  add(files: readonly File[], type: string): void {
    const added = files.map((file) => ({ key: (this.#lastKey += 1), file }));
    const waiting = added.map(({ key, file: { name, size } }) => ({ key, name, size, state: "waiting" as const }));
    this.tasks.setState((all) => [...waiting, ...all], true);
    for (const { key, file } of added) {
      const abort = new AbortController();
      this.#aborts.set(key, abort);
      void this.#queue.run(() => this.#run(key, file, type, abort.signal));
    }
  }

  cancel(key: number): void {
    this.#aborts.get(key)?.abort();
    const task = this.tasks.getState().find((one) => one.key === key);
    if (task?.state === "waiting") this.#update(key, { state: "cancelled" });
  }

  /** Removes a finished one from the list. */
  dismiss(key: number): void {
    this.tasks.setState((all) => all.filter((task) => task.key !== key), true);
  }

  async #run(key: number, file: File, type: string, signal: AbortSignal): Promise<void> {
    try {
      if (signal.aborted) return;
      this.#update(key, { state: "sending", sent: 0 });
      const id = await this.#send(key, file, type, signal);
      this.#update(key, { state: "stored", id });
      this.#deps.onStored();
    } catch (error) {
      this.#update(key, signal.aborted ? { state: "cancelled" } : { state: "failed", reason: messageOfError(error) });
    } finally {
      this.#aborts.delete(key);
    }
  }

  async #send(key: number, file: File, type: string, signal: AbortSignal): Promise<number> {
    const { upload, createToken } = this.#deps;
    const onProgress = (sent: number) => this.#update(key, { state: "sending", sent });
    this.#token ??= createToken();
    try {
      return await upload({ file, type, token: await this.#token, signal, onProgress });
    } catch (error) {
      // The session may have ended: retries once with a new one.
      this.#token = undefined;
      if (!isUnauthorized(error)) throw error;
      this.#token = createToken();
      return upload({ file, type, token: await this.#token, signal, onProgress });
    }
  }

  #update(key: number, state: TaskState): void {
    this.tasks.setState(
      (all) => all.map((task) => (task.key === key ? { key, name: task.name, size: task.size, ...state } : task)),
      true,
    );
  }
}

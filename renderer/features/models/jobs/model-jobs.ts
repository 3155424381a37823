/**
 * Long-running jobs with models: pulls, creations, also from files, and loads. Each continues while another page is
 * shown, and can be stopped.
 */
import { z } from "zod";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { ProgressLine } from "../../../../server/contract/model/ollama-library.ts";
import { messageOfError } from "../../../api/http/console-error.ts";
import type { LoadInput } from "../../../../server/contract/model/model-client.ts";
import { serviceKey } from "../../../ui/services.ts";
import { createMeter, withLine, type Transfer } from "./transfer.ts";

export type JobRequest =
  | { readonly kind: "pull"; readonly model: string; readonly insecure: boolean }
  | { readonly kind: "create"; readonly model: string; readonly modelfile: string }
  | { readonly kind: "file"; readonly model: string; readonly file: File }
  | ({ readonly kind: "load" } & Readonly<LoadInput>);

/** A phase of a job with a progress of its own; undefined: progress comes from the service. */
export type JobPhase = "reading" | "sending" | undefined;

/** A line of progress, the finished share of a load from 0 to 1, or the start of another phase. */
export type JobStep = ProgressLine | number | { readonly phase: JobPhase };

export interface ModelJob extends Transfer {
  readonly key: number;
  readonly request: JobRequest;
  readonly state: "running" | "done" | "stopped" | "failed";
  readonly phase?: JobPhase;
  /** The error of a failed job. */
  readonly reason?: string;
  /** The finished share of a load, from 0 to 1. */
  readonly fraction?: number;
}

export interface ModelJobs {
  /**
   * Starts it; the same job, if it was stopped or failed, restarts in its place, and a pull or load that runs
   * goes on. False where another model of that name is being created.
   */
  start(request: JobRequest): boolean;
  stop(key: number): void;
  /** Removes a job that is not running from the list. */
  dismiss(key: number): void;
  readonly jobs: StoreApi<readonly ModelJob[]>;
}

export const modelJobsKey = serviceKey<ModelJobs>("model jobs");

interface Deps {
  run: (request: JobRequest, signal: AbortSignal) => AsyncIterable<JobStep>;
  /** Called when a job has ended, in any way. */
  onEnd: () => void;
  /** The storage of this page alone: the pulls of another page may be running. */
  storage: Pick<Storage, "getItem" | "setItem">;
  now: () => number;
}

const storageKey = "hearth.pulls";
const keptSchema = z.array(
  z.object({
    request: z.object({ kind: z.literal("pull"), model: z.string(), insecure: z.boolean() }),
    state: z.enum(["running", "stopped", "failed"]).transform((state) => (state === "running" ? "stopped" : state)),
    reason: z.string().default(""),
  }),
);
const noTransfer: Transfer = { status: "", layers: [], speed: undefined };

const isSame = (one: JobRequest, other: JobRequest) => one.kind === other.kind && one.model === other.model;

export function createModelJobs({ run, onEnd, storage, now }: Deps): ModelJobs {
  const aborts = new Map<number, AbortController>();
  let lastKey = 0;
  const nextKey = () => (lastKey += 1);
  /** Pulls that a reload of the page interrupted can be resumed. */
  const jobs = createStore<readonly ModelJob[]>(() =>
    unfinishedPulls(storage).map((kept) => ({ ...kept, key: nextKey(), ...noTransfer })),
  );
  const keepIf = (fits: (job: ModelJob) => boolean) => jobs.setState((all) => all.filter(fits), true);
  const update = (key: number, change: Partial<ModelJob>) =>
    jobs.setState((all) => all.map((job) => (job.key === key ? { ...job, ...change } : job)), true);
  const keep = () => {
    try {
      const pulls = jobs.getState().filter(({ request, state }) => request.kind === "pull" && state !== "done");
      const kept = pulls.map(({ request, state, reason }) => ({ request, state, reason }));
      storage.setItem(storageKey, JSON.stringify(kept));
    } catch {
      // Without the browser's storage, pulls are forgotten at a reload.
    }
  };
  const ends = async (
    key: number,
    request: JobRequest,
    signal: AbortSignal,
  ): Promise<Partial<ModelJob> | undefined> => {
    let meter = createMeter(now);
    let transfer = noTransfer;
    try {
      for await (const step of run(request, signal))
        if (typeof step === "number") update(key, { fraction: step });
        else if ("phase" in step) {
          [meter, transfer] = [createMeter(now), noTransfer];
          update(key, { ...transfer, phase: step.phase });
        } else {
          transfer = withLine(transfer, step, meter);
          update(key, transfer);
        }
    } catch (error) {
      if (signal.aborted) return request.kind === "pull" ? { state: "stopped" } : undefined;
      return { state: "failed", reason: messageOfError(error) };
    }
    // A finished load needs no entry, because the model is among the loaded ones.
    return request.kind === "load" ? undefined : { state: "done" };
  };
  const go = async (key: number, request: JobRequest) => {
    const abort = new AbortController();
    aborts.set(key, abort);
    const end = await ends(key, request, abort.signal);
    aborts.delete(key);
    if (end) update(key, { ...end, speed: undefined });
    else keepIf((job) => job.key !== key);
    keep();
    onEnd();
  };

  return {
    start(request) {
      const same = jobs.getState().find((job) => isSame(job.request, request));
      if (same?.state === "running") return request.kind === "pull" || request.kind === "load";
      const key = same?.key ?? nextKey();
      const layers = request.kind === "pull" && same ? same.layers : [];
      const job: ModelJob = { ...noTransfer, layers, key, request, state: "running" };
      jobs.setState((all) => (same ? all.map((one) => (one === same ? job : one)) : [job, ...all]), true);
      keep();
      void go(key, request);
      return true;
    },
    stop: (key) => aborts.get(key)?.abort(),
    dismiss(key) {
      keepIf((job) => job.key !== key || job.state === "running");
      keep();
    },
    jobs,
  };
}

function unfinishedPulls(storage: Deps["storage"]): z.infer<typeof keptSchema> {
  try {
    return keptSchema.parse(JSON.parse(storage.getItem(storageKey) ?? "[]"));
  } catch {
    return [];
  }
}

/** Updates of the desktop program: offered, never forced. Each step waits for a person. */
import type { UpdateAction, UpdateState } from "../../server/contract/console/machine/updates.ts";
import type { Installer } from "./installer.ts";

export interface UpdatesOptions {
  readonly installer: Installer;
  readonly onState: (state: UpdateState) => void;
  /** Ends the program in order, and calls `finish` when every service has ended. */
  readonly restart: () => void;
}

export function createUpdates({ installer, onState, restart }: UpdatesOptions) {
  let state: UpdateState = { step: "none" };
  /** Running checks. Each removes the remains of a killed download, so no download begins meanwhile. */
  const checks = new Set<Promise<unknown>>();
  let download: AbortController | undefined;
  let isEnding = false;
  let isChosen = false;

  function show(next: UpdateState): void {
    if (isEnding) return;
    state = next;
    onState(next);
  }

  /** While true, the result of a check is not shown. */
  const isUnderWay = () => isEnding || state.step === "downloading" || state.step === "ready";

  /** Only a check by hand reports that there is none, or that the server does not answer. */
  async function check(byHand: boolean): Promise<void> {
    if (isUnderWay()) return;
    const asked = installer.check();
    checks.add(asked);
    const next = await asked
      .then<UpdateState>((version) => (version === undefined ? { step: "current" } : { step: "offered", version }))
      .catch((error: unknown): UpdateState => ({ step: "failed", reason: reasonOf(error) }));
    checks.delete(asked);
    // A download may have begun meanwhile.
    if ((byHand || next.step === "offered") && !isUnderWay()) show(next);
  }

  async function fetch(version: string): Promise<void> {
    const running = new AbortController();
    download = running;
    show({ step: "downloading", version, fraction: 0 });
    try {
      if (checks.size > 0) await Promise.allSettled(checks);
      running.signal.throwIfAborted();
      await installer.download((fraction) => {
        if (!running.signal.aborted) show({ step: "downloading", version, fraction });
      }, running.signal);
      show({ step: "ready", version });
    } catch (error) {
      show(running.signal.aborted ? { step: "offered", version } : { step: "failed", reason: reasonOf(error) });
    }
  }

  return {
    state: () => state,
    check,
    /** Ignores an action that the state does not allow. */
    act(action: UpdateAction): void {
      if (isEnding) return;
      if (action === "check") void check(true);
      else if (action === "download" && state.step === "offered") void fetch(state.version);
      else if (action === "cancel") download?.abort();
      else if (action === "decline" && state.step !== "downloading") show({ step: "none" });
      else if (action === "install" && state.step === "ready") {
        isChosen = true;
        restart();
      }
    },
    /** Starts nothing from now on, because the program ends. */
    stop(): void {
      isEnding = true;
      download?.abort();
    },
    /** Installs the version that a person has chosen to install. Call it last, when every service has ended. */
    finish(): void {
      if (isChosen) installer.install();
    },
  };
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

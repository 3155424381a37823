/** The exit code of an action that has waited in vain. */
export const waitedInVain = 3;

/** A refusal of an action for people, in one line: what happened, and what to do. */
export class ActionError extends Error {
  override readonly name = "ActionError";
  /** 1: refused or failed. 2: wrong input. `waitedInVain`: the time is over. */
  readonly exitCode: number;
  /** The HTTP status of the refusal, if a service has refused. */
  readonly status: number | undefined;
  constructor(message: string, { exitCode = 1, status }: { exitCode?: number; status?: number } = {}) {
    super(message);
    this.exitCode = exitCode;
    this.status = status;
  }
}

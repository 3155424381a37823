/** The port through which the supervisor sees a process: Node's fork and Electron's utility process both fit it. */
import type { ServiceName } from "../contract/process/services.ts";
import type { ToService } from "../contract/process/process-messages.ts";

export interface Exit {
  /** Exit code; null when a signal ended it. */
  code: number | null;
  signal?: string | undefined;
}

export interface Child {
  /** Undefined until the system has made the process, and when it could not. */
  readonly pid: number | undefined;
  /** What the process says, unchecked. */
  onMessage(listen: (message: unknown) => void): void;
  /** Each whole line of its stdout and stderr. */
  onLine(listen: (line: string) => void): void;
  /** Does nothing once the process has ended. */
  send(message: ToService): void;
  /** Ends it without asking. */
  kill(): void;
  /** Settles once, when the process has ended or could not be made. */
  readonly exited: Promise<Exit>;
}

export interface ForkRequest {
  name: ServiceName;
  /** Path of the bundled entry. */
  entry: string;
  /** The whole environment of the process. */
  env: Record<string, string>;
}

/** Makes a process. Never throws: a process that cannot be made ends at once. */
export type Fork = (request: ForkRequest) => Child;

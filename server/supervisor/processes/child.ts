/** The supervisor's interface to a process. Both Node's fork and Electron's utility process implement it. */
import type { ServiceName } from "../../contract/process/services.ts";
import type { InstanceStart } from "../../contract/process/instance-start.ts";
import type { StartMessage, TaskMessage, ToService } from "../../contract/process/process-messages.ts";

export interface Exit {
  /** Exit code; null when a signal ended it. */
  code: number | null;
  signal?: string | undefined;
}

export interface Child {
  /** Undefined until the system has created the process, or if it could not. */
  readonly pid: number | undefined;
  /** Messages from the process, not validated. */
  onMessage(listen: (message: unknown) => void): void;
  /** Each whole line of its stdout and stderr. */
  onLine(listen: (line: string) => void): void;
  /** Does nothing once the process has ended. */
  send(message: StartMessage | InstanceStart | TaskMessage | ToService): void;
  /** Kills it without asking it to stop. */
  kill(): void;
  /** Settles once, when the process has ended or could not be created. */
  readonly exited: Promise<Exit>;
}

export interface ForkRequest {
  /** The name of a service, or of a process that works for one command. */
  name: ServiceName | "inspector" | "backup";
  /** Path of the bundled entry. */
  entry: string;
  /** The whole environment of the process, which holds no secret: other programs can read it. */
  env: Record<string, string>;
}

/** Creates a process. Never throws: a process that cannot be created ends at once. */
export type Fork = (request: ForkRequest) => Child;

import type { ReadyFileContent } from "../supervisor/ready-file.ts";

export interface StartOptions {
  /** Settings by name, as the caller passed them, with those that the package decides. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The instance's own folder. */
  readonly folder: string;
  /** Receives a function that kills all services before it returns, also during their start. */
  readonly onStart: (kill: () => void) => void;
}

/** `stand_in`: the address of the proxy for the real platform's hosts; null without the setting. */
export interface KitAddresses extends ReadyFileContent {
  readonly stand_in: string | null;
}

export interface RunningServices {
  readonly addresses: KitAddresses;
  readonly stop: () => Promise<void>;
}

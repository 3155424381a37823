/** Where newer versions come from, and how one is put in this one's place. */
export interface Installer {
  /** The newer version; undefined if there is none. @throws when nobody answers, or not in words that are understood. */
  check(): Promise<string | undefined>;
  /**
   * Downloads that version, and verifies it. Not called while a check is under way.
   * @param onProgress the fraction that is there, 0 to 1
   * @throws when it cannot be had, or is not what was announced; the signal's reason when aborted
   */
  download(onProgress: (fraction: number) => void, signal: AbortSignal): Promise<void>;
  /** Puts it in this one's place, to be started when this process ends. Called when every service has ended. */
  install(): void;
}

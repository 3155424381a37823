/** Finds, downloads and installs newer versions. */
export interface Installer {
  /** The newer version; undefined if there is none. @throws when the server does not answer, or its answer cannot be read */
  check(): Promise<string | undefined>;
  /**
   * Downloads that version, and verifies it. Must not be called during a check.
   * @param onProgress receives the downloaded fraction, 0 to 1
   * @throws when the download fails, or does not match its checksum; the signal's reason when aborted
   */
  download(onProgress: (fraction: number) => void, signal: AbortSignal): Promise<void>;
  /** Replaces this version, and starts the new one when this process ends. Called when every service has ended. */
  install(): void;
}

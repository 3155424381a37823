/** Errors of a start, and the choices that a person has then. */

/** A backup of the data that a Hearth of `version` had. */
export interface UpdateBackup {
  readonly file: string;
  readonly version: string;
  readonly time: Date;
}

/**
 * The choices after a start that failed: another data directory, the named one, the data as this version left them, an
 * update without a backup, or the running Hearth.
 */
export type Remedy =
  | { readonly type: "other-folder" }
  | { readonly type: "own-folder"; readonly dataDir: string }
  | { readonly type: "way-back"; readonly dataDir: string; readonly ownDir: string; readonly backup: UpdateBackup }
  | { readonly type: "no-backup" }
  | { readonly type: "running"; readonly dataDir: string };

/** A run that cannot start or continue. The message is one line for a person. */
export class RunError extends Error {
  override readonly name = "RunError";
  readonly remedy: Remedy | undefined;
  constructor(message: string, remedy?: Remedy) {
    super(message);
    this.remedy = remedy;
  }
}

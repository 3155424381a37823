/** A failed upload: `cause` is the reason, `fileName` the file's name if it was read. */
export class UploadFailed extends Error {
  override readonly name = "UploadFailed";
  readonly fileName: string;
  constructor(fileName: string, cause: unknown) {
    super("an upload failed", { cause });
    this.fileName = fileName;
  }
}

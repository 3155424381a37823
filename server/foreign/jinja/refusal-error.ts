/** The template's own refusal. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
}

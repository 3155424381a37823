/** A row cannot be judged; the message says why. The check continues. */
export class NotJudged extends Error {
  override readonly name = "NotJudged";
}

/** The check cannot continue; the message says why, and what to do. */
export class CheckFailed extends Error {
  override readonly name = "CheckFailed";
}

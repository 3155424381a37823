/** Nothing can be said about a row; the message says why. The check goes on. */
export class NotJudged extends Error {
  override readonly name = "NotJudged";
}

/** The check cannot go on; the message says why, and what to do. */
export class CheckFailed extends Error {
  override readonly name = "CheckFailed";
}

/** A row cannot be judged; the message says why. The check continues. */
export class NotJudged extends Error {
  override readonly name = "NotJudged";
}

/** The check cannot continue; the message says why, and what to do. */
export class CheckFailed extends Error {
  override readonly name = "CheckFailed";
}

/** The check cannot continue because the backend is down, slow or broken. */
export class BackendProblem extends CheckFailed {}

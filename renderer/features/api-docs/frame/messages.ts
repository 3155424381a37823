/** Messages between the console and the description page in its frame: each has an origin of its own. */

/** The page asks for its state. The console believes nothing else of it: users' content has the same origin. */
export const askForState = "hearth-frame-state";

/** How the page looks, and whose session its tried operations use. */
export interface FrameState {
  readonly scheme: "light" | "dark";
  /** The session token of a simulated user. It opens nothing of the console. */
  readonly token: string | undefined;
}

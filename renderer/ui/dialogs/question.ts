/** A question to the user before an action. */
export interface Question {
  title: string;
  /** The effect of the action, and whether it can be undone. */
  text: string;
  /** The label of the button that performs it. */
  action: string;
  /** The action loses data. */
  danger?: boolean;
}

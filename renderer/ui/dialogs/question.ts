/** What a person is asked before something is done. */
export interface Question {
  title: string;
  /** What will happen, and whether it can be undone. */
  text: string;
  /** The word on the button that does it. */
  action: string;
  /** Something is lost by it. */
  danger?: boolean;
}

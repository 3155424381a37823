/** How the simulated person answers what the platform asks. Everything is allowed until a test says otherwise. */

/** The person's reaction when the client asks for the payment's password. */
export type PaymentOutcome = "pay" | "wrong_password" | "no_funds" | "cancel" | "slow";

/**
 * What a prompt is about: the phone number, the user info, the location, another scope, a payment, `showModal` or
 * `showActionSheet`.
 */
export type PromptName = "phone" | "userInfo" | "location" | "payment" | "modal" | "actionSheet" | `scope.${string}`;

/** A file that the person picks from the album. */
export interface PickedFile {
  /** With the extension of the content. */
  readonly name: string;
  readonly content: Uint8Array | string;
}

export interface Prompts {
  /** The person allows these prompts from now on. A refused location stays refused until the settings are opened. */
  allow(prompt: PromptName): void;
  /** The person refuses these prompts from now on. An earlier consent is forgotten. */
  deny(prompt: PromptName): void;
  isDenied(prompt: PromptName): boolean;
  /** What the person does at payments from now on. `deny("payment")` is `pay("cancel")`. */
  pay(outcome: PaymentOutcome): void;
  readonly payment: PaymentOutcome;
  /** The person picks these files, each time that `chooseMedia` or `chooseImage` asks. None: the person cancels. */
  pick(...files: readonly PickedFile[]): void;
  readonly picked: readonly PickedFile[];
}

export function createPrompts(): Prompts {
  const denied = new Set<PromptName>();
  let outcome: PaymentOutcome = "pay";
  let picked: readonly PickedFile[] = [];
  return {
    allow: (prompt) => void denied.delete(prompt),
    deny: (prompt) => void denied.add(prompt),
    isDenied: (prompt) => denied.has(prompt),
    pay(chosen) {
      denied.delete("payment");
      outcome = chosen;
    },
    get payment() {
      return denied.has("payment") ? "cancel" : outcome;
    },
    pick: (...files) => void (picked = files),
    get picked() {
      return picked;
    },
  };
}

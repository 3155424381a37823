/** The state of a phone, as one immutable value. */
import { createStore } from "zustand/vanilla";
import type { SimPerson } from "../../../server/contract/provider/sim-people.ts";
import type { StatusPackage, Step } from "../../../server/app/console/reference-client/hearth-client.ts";
import type { Spelling } from "../../../server/contract/mini-program/header-spelling.ts";

export type Network = "good" | "slow" | "offline";
export type Permission = "userInfo" | "phoneNumber" | "location";
export type PaymentChoice = "pay" | "cancel" | "wrong_password" | "no_funds" | "slow";
/** The person's actions in the app. */
export type Tap =
  | "articles"
  | "publish"
  | "orders"
  | "buy"
  | "pay"
  | "raffle"
  | "startRaffle"
  | "draw"
  | "number"
  | "avatar"
  | "location";

/** A call of the application server to the provider, behind a call of the phone. */
export interface BackCall {
  readonly id: number;
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
  readonly ms: number;
}

/** A call of the phone. Without `status` and `failure` it is running. */
export interface PhoneCall {
  readonly kind: "call";
  readonly id: number;
  readonly to: "app" | "provider";
  /** The platform's name of a call to the provider. */
  readonly name?: string;
  readonly method: string;
  readonly path: string;
  readonly spelling: Spelling;
  readonly sent?: unknown;
  readonly ms?: number;
  readonly status?: number;
  /** Why there was no answer. */
  readonly failure?: string;
  /** The platform's own result of its call. */
  readonly errMsg?: string;
  /** The step in a 401, as the client reads it from `authenticate`, the header in the platform's spelling. */
  readonly next?: Step;
  readonly authenticate?: { readonly name: string; readonly value: string };
  readonly received?: unknown;
  readonly requestId?: string;
  /** The id of the recorded request. */
  readonly recorded?: number;
  readonly behind?: readonly BackCall[];
}
export interface PhoneQuestion {
  readonly kind: "question";
  readonly id: number;
  readonly about: Permission | "payment";
  readonly answer?: "allowed" | "denied" | PaymentChoice;
}
export interface TapMark {
  readonly kind: "tap";
  readonly id: number;
  readonly what: Tap;
}
export type PhoneEntry = PhoneCall | PhoneQuestion | TapMark;

/** The platform's prompt over the app. `answer` closes it. */
export type Sheet =
  | { about: Permission; person: SimPerson; answer: (allowed: boolean) => void }
  | { about: "payment"; amount: number; description: string; answer: (outcome: PaymentChoice) => void };

export interface PhoneState {
  readonly opened: boolean;
  readonly network: Network;
  readonly spelling: Spelling;
  readonly sheet: Sheet | undefined;
  /** The client's stored status package, and its time (Unix time in ms). */
  readonly status: StatusPackage | undefined;
  readonly statusAt: number;
  /** The app's data of the person, from getUserInfo. */
  readonly nickName: string | undefined;
  /** The address of the latest uploaded picture. */
  readonly avatar: string | undefined;
  readonly entries: readonly PhoneEntry[];
}

const mostEntries = 300;

export function createPhoneStore(initial: PhoneState) {
  const store = createStore<PhoneState>(() => initial);
  const { getState, setState } = store;
  let lastId = 0;
  return {
    ...store,
    /** Returns the id of the new entry. */
    add(entry: Omit<PhoneCall, "id"> | Omit<PhoneQuestion, "id"> | Omit<TapMark, "id">): number {
      lastId += 1;
      setState({ entries: [...getState().entries, { ...entry, id: lastId }].slice(-mostEntries) });
      return lastId;
    },
    amend(id: number, fields: Partial<Omit<PhoneCall, "kind">> | Pick<PhoneQuestion, "answer">) {
      setState({ entries: getState().entries.map((entry) => (entry.id === id ? { ...entry, ...fields } : entry)) });
    },
  };
}
export type PhoneStore = ReturnType<typeof createPhoneStore>;

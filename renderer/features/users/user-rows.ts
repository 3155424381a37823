/** Users of the application server and people of the simulator in one list. A person who is a user has one row. */
import type { ConsoleSession, ConsoleUser, NextStep } from "../../../server/contract/console/console-users.ts";
import type { SimPerson } from "../../../server/contract/provider/sim-people.ts";

export interface UserRow {
  /** The uid, or `@` and the name of a person who has never logged in. */
  readonly key: string;
  readonly name: string;
  readonly user: ConsoleUser | undefined;
  readonly person: SimPerson | undefined;
}

export const personKey = (name: string): string => `@${name}`;

const userRow = (user: ConsoleUser, people: ReadonlyMap<string, SimPerson>): UserRow => ({
  key: user.uid,
  name: user.person ?? user.nick_name ?? user.uid,
  user,
  person: user.person === undefined ? undefined : people.get(user.person),
});

/**
 * Users first, in their order, then people without a login who match `text`. People are added only when `users` is
 * complete.
 */
export function userRows(
  users: readonly ConsoleUser[],
  people: readonly SimPerson[],
  { complete, text = "" }: { complete: boolean; text?: string | undefined },
): UserRow[] {
  const byName = new Map(people.map((person) => [person.name, person]));
  const known = new Set(users.map(({ person }) => person));
  const strangers = complete
    ? people.filter(({ name }) => !known.has(name) && name.toLowerCase().includes(text.toLowerCase()))
    : [];
  return [
    ...users.map((user) => userRow(user, byName)),
    ...strangers.map((person) => ({ key: personKey(person.name), name: person.name, user: undefined, person })),
  ];
}

/** The uid of the user that a person is, if they are one. Users of another provider are no person here. */
export const uidOfPerson = (rows: readonly UserRow[], name: string | undefined): string | undefined =>
  name === undefined ? undefined : rows.find(({ user }) => user?.person === name)?.key;

export type Reason = "noSession" | "expired" | "userinfo" | "phone" | "passes";

/** The answer to a session's next call, with the reason. `now`: of the server, in ms. */
export function nextCall(
  session: ConsoleSession | undefined,
  now: number,
): { step: NextStep | undefined; reason: Reason } {
  if (!session) return { step: "Bearer", reason: "noSession" };
  if (Date.parse(session.expires_at) <= now) return { step: "Bearer", reason: "expired" };
  const step = session.next_step === "Bearer" ? undefined : session.next_step;
  return { step, reason: step === "getUserInfo" ? "userinfo" : step === "getPhoneNumber" ? "phone" : "passes" };
}

/** The remaining time as hours, minutes and seconds: `1:59:05`; `0:00` when it is over. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** People of the simulated platform whom Hearth itself logs in, and the numbers of their orders, which lists can leave out. */

/** Logs in for the console and its API docs, and for `hearth token` without a name. */
export const consolePerson = "console";

/** Begins the names of the people that receiver checks log in, and the idempotency keys of their orders. */
export const checkPrefix = "receiver-check-";

const checkPersonName = /^receiver-check-[\da-f]{16}$/;

export const isCheckPerson = (name: string): boolean => checkPersonName.test(name);

/** The name of a person for one check, which has not existed before and is removed with it. */
export const newCheckPerson = (): string =>
  checkPrefix +
  [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Begin the numbers of internal orders, on both sides: those of receiver checks, and those of the console's user. */
export const internalNumbers = { check: "HCHECK-", console: "HCONSOLE-" } as const;

/** For SQL's LIKE. */
export const internalNumberPatterns = Object.values(internalNumbers).map((prefix) => `${prefix}%`);

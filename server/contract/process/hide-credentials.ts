import { hideKeys } from "./access-keys.ts";

/**
 * A text without keys, and without the users and passwords in its URLs, for refusals that quote what was given. These go up
 * to the last @ before a quote: what is refused may have any other character in its password.
 */
export const hideCredentials = (text: string): string =>
  hideKeys(text).replaceAll(/:\/\/(?:[^"\\]|\\[^])*/g, (rest) => {
    const end = rest.lastIndexOf("@");
    return end < 0 ? rest : `://…${rest.slice(end)}`;
  });

/** An address for logs and messages, without user, password, query and fragment: each may be a secret. */
export const addressWithoutSecrets = ({ origin, pathname }: URL): string => origin + pathname;

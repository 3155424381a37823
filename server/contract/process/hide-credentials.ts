/** A text without the users and passwords in its URLs, for refusals that quote what was given. */
export const hideCredentials = (text: string): string => text.replaceAll(/:\/\/[^\s/@"]+@/g, "://…@");

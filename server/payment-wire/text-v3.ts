/** The rules of version 3 for every text in a request. */

/** The platform stores UTF-8 characters of one to three bytes: no emoji, and no NUL. */
export const isStorableV3 = (text: string): boolean => !/[\0\u{10000}-\u{10FFFF}]/u.test(text);

/** Limits count bytes: 42 Chinese characters fit into a description. */
export const utf8Length = (text: string): number => Buffer.byteLength(text);

export const maxDescriptionBytes = 127;

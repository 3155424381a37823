/** The bounds of texts that others write: patterns, schemas of collections, chat templates. */

/** Ordinary ones take less than 10 ms, and all requests of a process wait for one that takes long. */
export const foreignDeadlineMs = 250;

/** Characters that a chat template may make beyond the messages: no known template comes near, and they take memory. */
export const mostTemplateCharacters = 4 * 1024 * 1024;

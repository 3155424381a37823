/** Kinds of content, by Content-Type: of JSON (also `application/problem+json`), and of text. */
export const jsonType = /^[^;]*[/+]json\s*(?:;|$)/i;
export const textType = /^text\//i;

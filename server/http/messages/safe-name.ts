/** Letters of any script, digits, and the marks of paths and forms. */
const nameLike = /^[\p{L}\p{M}\p{N}_.$[\]-]{1,64}$/u;

/**
 * An unknown name, for messages, headers and events. A text that does not look like a name becomes `***`: a JSON body
 * that was sent as a form is the name of a field, and may contain secrets.
 */
export const safeName = (name: string): string => (nameLike.test(name) ? name : "***");

/** Letters of any script, digits, and the marks of paths and forms. */
const nameLike = /^[\p{L}\p{M}\p{N}_.$[\]-]{1,64}$/u;

/**
 * A name that nothing knows, for messages, headers and events: `***` for what looks like no name, because a body that was
 * sent with the type of a form is the name of a field, with the secrets in it.
 */
export const safeName = (name: string): string => (nameLike.test(name) ? name : "***");

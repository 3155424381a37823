const kept = new Set(["text", "search", "url", "email", "tel", "number", "textarea"]);
/** Also where the field shows what is typed, by which it has the type of a text. */
const secret = new Set(["new-password", "current-password", "one-time-code"]);

/** Whether what is typed into the field may be kept: it is no secret. */
export const isKeptField = (field: {
  readonly type: string;
  readonly autocomplete: string;
  readonly readOnly: boolean;
}) => kept.has(field.type) && !secret.has(field.autocomplete) && !field.readOnly;

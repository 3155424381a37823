import type { Text } from "../../../contract/messages/message.ts";

/** A text as the database keeps it: with its code and values, so that it is read in any language. */
export const storedText = (text: Text): string => JSON.stringify(text);

export const textOf = (stored: string): Text => JSON.parse(stored) as Text;

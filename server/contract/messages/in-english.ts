import { english } from "./english.ts";
import { format } from "./format.ts";
import type { Text } from "./message.ts";

export const inEnglish = (text: Text): string => format(text, english);

export const languages = ["en", "zh"] as const;
export type Language = (typeof languages)[number];

/** The form in which two questions count as the same one. */
export const plainForm = (text: string) => text.toLowerCase().replace(/[\s\p{P}\p{S}]+/gu, "");

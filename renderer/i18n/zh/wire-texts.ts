/** What the schemas of the contract say in English, in Chinese. */
export const wireTexts: Readonly<Record<string, string>> = {};

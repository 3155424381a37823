/** What `LIKE … ESCAPE '\'` takes for the text as it is, wherever it stands; upper and lower case of ASCII are the same. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

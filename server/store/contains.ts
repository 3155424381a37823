import { sql, type Expression, type RawBuilder } from "kysely";

/** What `LIKE … ESCAPE '\\'` takes for the text as it is, wherever it stands. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** Whether the text stands somewhere in the column, as it is; upper and lower case of ASCII are the same. */
export const contains = (column: Expression<unknown>, text: string): RawBuilder<boolean> =>
  sql<boolean>`${column} like ${likePattern(text)} escape '\\'`;

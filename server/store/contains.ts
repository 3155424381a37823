import { sql, type Expression, type RawBuilder } from "kysely";

/** The pattern for `LIKE … ESCAPE '\\'` that matches the text anywhere. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/** Whether the column contains the text; ignores the case of ASCII letters. */
export const contains = (column: Expression<unknown>, text: string): RawBuilder<boolean> =>
  sql<boolean>`${column} like ${likePattern(text)} escape '\\'`;

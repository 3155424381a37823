import { expressionBuilder, sql, type Expression, type SqlBool } from "kysely";

/**
 * The pattern for `LIKE … ESCAPE '\\'` that matches the text anywhere. NUL would end SQLite's patterns, and PostgreSQL
 * cannot store it, so its replacement character is searched.
 */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&").replaceAll("\0", "\ufffd")}%`;

/** Whether the column contains the text; ignores the case of ASCII letters. */
export const contains = (column: Expression<unknown>, text: string): Expression<SqlBool> => {
  const e = expressionBuilder();
  return e.fn<SqlBool>("like", [e.val(likePattern(text)), column, sql.lit("\\")]);
};

import { expressionBuilder, sql, type Expression, type SqlBool } from "kysely";

/**
 * The pattern for `LIKE … ESCAPE '\\'` that matches the text anywhere. NUL would end SQLite's patterns, and PostgreSQL
 * cannot store it, so its replacement character is searched.
 */
export const likePattern = (text: string): string =>
  `%${(isFolded(text) ? text.toLowerCase() : text).replace(/[\\%_]/g, "\\$&").replaceAll("\0", "\ufffd")}%`;

/** Whether a text has letters whose case the databases' own comparison does not ignore. */
export const isFolded = (text: string): boolean => /[^\0-\x7f]/.test(text);

/** Whether the column contains the text, regardless of the case of letters. */
export const contains = (column: Expression<unknown>, text: string): Expression<SqlBool> => {
  const e = expressionBuilder();
  const where = isFolded(text) ? e.fn("fold", [column]) : column;
  return e.fn<SqlBool>("like", [e.val(likePattern(text)), where, sql.lit("\\")]);
};

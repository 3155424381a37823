import { expressionBuilder, sql, type Expression, type SqlBool } from "kysely";

/**
 * The pattern for `LIKE … ESCAPE '\\'` that matches the text anywhere. At a NUL character SQLite's patterns end, and
 * PostgreSQL has none: it is sought as what stands for it there.
 */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&").replaceAll("\0", "\ufffd")}%`;

/** Whether the column contains the text; ignores the case of ASCII letters. */
export const contains = (column: Expression<unknown>, text: string): Expression<SqlBool> => {
  const e = expressionBuilder();
  return e.fn<SqlBool>("like", [e.val(likePattern(text)), column, sql.lit("\\")]);
};

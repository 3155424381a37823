/** Maps PostgreSQL's errors to those of the interface. */
import pg from "pg";
import { StoreProblem } from "../../contract/process/store-problem.ts";
import { ConstraintViolation, UniqueViolation } from "../database.ts";

/** SQLSTATE codes. */
const unique = "23505";
const constraints = "23";
const diskFull = "53100";
/** The error of a replica that has taken the place of its primary. */
const readOnly = "25006";
/** The server's limits of time: statement_timeout, lock_timeout. */
const outOfTime = new Set(["57014", "55P03"]);

/** Whether the server answered the statement, so that its connection can be reused. */
const isAnswer = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError &&
  error.severity !== "FATAL" &&
  error.severity !== "PANIC" &&
  error.code !== readOnly;

/** Whether a connection that has reported this error must be closed. */
export const isBroken = (error: unknown): boolean => !isAnswer(error);

/** @param error of a connection or a statement */
export function toStoreError(error: unknown): unknown {
  if (!isAnswer(error) || outOfTime.has(error.code ?? "")) return new StoreProblem("database_unreachable", error);
  if (error.code === diskFull) return new StoreProblem("database_full", error);
  if (error.code === unique) return new UniqueViolation(error.message, { cause: error });
  return error.code?.startsWith(constraints) === true
    ? new ConstraintViolation(error.message, { cause: error })
    : error;
}

/** The outcome of judging a value by a schema. */

import type { Message } from "../contract/messages/message.ts";

/** A problem with a value, and the path to the member that has it. */
export interface Problem {
  readonly path: readonly string[];
  readonly message: Message;
}

export interface SchemaOutcome {
  readonly problems: Problem[];
  /** Names of members and numbers of items that a keyword applied a schema to; undefined if nothing needs them. */
  readonly evaluated: Set<string | number> | undefined;
}

export const isRight = ({ problems }: SchemaOutcome): boolean => problems.length === 0;

/** The limit of problems, which multiply where branches fail at every level. */
const mostProblems = 200;

/** A problem of the value itself, or of one of its members. */
export function addProblem(outcome: SchemaOutcome, { path, message }: Problem, ...at: readonly string[]): void {
  if (outcome.problems.length < mostProblems) outcome.problems.push({ path: [...at, ...path], message });
}

export const fail = (outcome: SchemaOutcome, message: Message): void =>
  void outcome.problems.push({ path: [], message });

/** Takes over all of another schema's outcome for the same value. */
export function take(outcome: SchemaOutcome, other: SchemaOutcome): void {
  for (const problem of other.problems) addProblem(outcome, problem);
  for (const at of other.evaluated ?? []) outcome.evaluated?.add(at);
}

/** Takes over another schema's outcome for the same value, if it has no problems. */
export function takeIfValid(outcome: SchemaOutcome, other: SchemaOutcome): void {
  if (isRight(other)) take(outcome, other);
}

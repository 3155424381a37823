/**
 * The health check of every service: a question over the process's own channel. A connection would cost descriptors, of which
 * a process under load may have none left, and would wait behind what its clients have sent.
 */
import type { Child } from "./child.ts";

export interface HealthCheck {
  /** What is wrong with the process; undefined when nothing is. Settles within the time; one question at a time. */
  ask(withinMs: number): Promise<string | undefined>;
  /** The process has answered. */
  answered(problem: string | undefined): void;
}

export function createHealthCheck(child: Pick<Child, "send">): HealthCheck {
  let answer: (problem: string | undefined) => void = () => undefined;
  return {
    ask(withinMs) {
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      answer = resolve;
      const timer = setTimeout(resolve, withinMs, "stopped answering its health check");
      child.send({ type: "ping" });
      return promise.finally(() => clearTimeout(timer));
    },
    answered: (problem) => answer(problem),
  };
}

/**
 * The health check of every service: a question over the process's own channel. A connection would need descriptors,
 * which a process under load may have run out of, and would queue behind its clients' requests.
 */
import type { Child } from "./child.ts";

export interface HealthCheck {
  /** The process's problem, or undefined if it has none. Settles within the time; one question at a time. */
  ask(withinMs: number): Promise<string | undefined>;
  /** Call it when the process has answered. */
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

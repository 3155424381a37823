/** The form of a task for an agent, with a checker that judges the result alone. */
import type { AgentMachine, Printed } from "./agent-machine.ts";

/** The agent's hands: every use is a call, and its output is read by the agent. */
export interface Hands {
  readonly run: (command: string) => Promise<Printed>;
  readonly write: (file: string, text: string) => void;
}

export interface AgentTask {
  /** The task as the agent gets it. */
  readonly text: string;
  /** Makes the situation. */
  readonly prepare: (machine: AgentMachine) => Promise<unknown>;
  /** A solution by the documented commands. @returns the answer */
  readonly solve: (hands: Hands) => Promise<string>;
  /** @returns whether the task is done, by the answer and the state of the machine */
  readonly isDone: (machine: AgentMachine, answer: string) => Promise<boolean>;
}

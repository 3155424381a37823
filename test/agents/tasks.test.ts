/** Twelve tasks that an agent solves by the documented commands alone, in few calls and with little to read. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startAgentMachine, type AgentMachine } from "./agent-machine.ts";
import { notificationTasks } from "./notification-tasks.ts";
import { paymentTasks } from "./payment-tasks.ts";
import type { AgentTask, Hands } from "./task.ts";
import { trafficTasks } from "./traffic-tasks.ts";

const tasks = { ...paymentTasks, ...notificationTasks, ...trafficTasks };
const mostCalls = 5;
const mostTokens = 4_000;
/** A rough average of tokenizers for English and code. */
const bytesPerToken = 4;

/** The hands of an agent, with what their use has cost. */
function countedHands({ run, write }: AgentMachine) {
  const cost = { calls: 0, bytes: 0 };
  const hands: Hands = {
    async run(command) {
      const printed = await run(command);
      cost.calls++;
      cost.bytes += Buffer.byteLength(printed.output);
      return printed;
    },
    write(file, text) {
      cost.calls++;
      write(file, text);
    },
  };
  return { hands, cost };
}

describe("an agent", () => {
  let machine: AgentMachine;
  beforeAll(async () => {
    machine = await startAgentMachine();
  });
  afterAll(() => machine[Symbol.asyncDispose]());

  async function solve({ prepare, solve: solution, isDone }: AgentTask) {
    await machine.must("hearth reset && hearth fault disarm --all && hearth clock reset");
    await prepare(machine);
    // A checker that is content with nothing would prove nothing.
    const isDoneBefore = await isDone(machine, "");
    const { hands, cost } = countedHands(machine);
    const answer = await solution(hands);
    return { isDoneBefore, isDone: await isDone(machine, answer), answer, ...cost };
  }

  it.each(Object.entries(tasks))("%s: does it in five calls and 4,000 tokens", async (name, task) => {
    const { answer, calls, bytes, ...done } = await solve(task);
    process.stdout.write(`${name}: ${calls} calls, ${Math.ceil(bytes / bytesPerToken)} tokens\n`);
    expect({ ...done, answer }).toEqual({ isDoneBefore: false, isDone: true, answer });
    expect(calls).toBeLessThanOrEqual(mostCalls);
    expect(bytes / bytesPerToken).toBeLessThanOrEqual(mostTokens);
  });

  it("has twelve tasks", () => expect(Object.keys(tasks)).toHaveLength(12));
});

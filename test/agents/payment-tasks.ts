/** Tasks about orders and their payments. */
import { isDeepStrictEqual } from "node:util";
import type { AgentMachine } from "./agent-machine.ts";
import type { AgentTask } from "./task.ts";

interface SimOrder {
  readonly out_trade_no: string;
  readonly trade_state: string;
  readonly refunded: number;
}
const newestOrder = async ({ ofPlatform }: AgentMachine) =>
  ((await ofPlatform("/sim/orders?limit=1"))["orders"] as SimOrder[])[0];

interface StoredOrder {
  readonly trade_state: string;
  readonly settled_at?: string;
}
async function newestAtServer({ ofApp }: AgentMachine): Promise<StoredOrder | undefined> {
  return ((await ofApp("/console/api/orders?limit=1"))["orders"] as StoredOrder[])[0];
}

export const paymentTasks: Readonly<Record<string, AgentTask>> = {
  unpaid: {
    text: "Bob's order is paid. Why did the order of ada stay unpaid? Answer with the reason that the platform gave.",
    async prepare({ must }) {
      await must("hearth order --user ada --amount 500 --description 'Tea for ada'");
      await must("hearth pay last --fail wrong_password");
      await must("hearth order --user bob --amount 199 && hearth pay last");
    },
    async solve({ run }) {
      const { output } = await run("hearth orders --find ada");
      const [number = ""] = output.split(" ");
      return /^failed +(\w+)/m.exec((await run(`hearth orders show ${number}`)).output)?.[1] ?? "";
    },
    isDone: (_, answer) => Promise.resolve(answer.includes("wrong_password")),
  },

  halfRefund: {
    text: "Refund half of the newest paid order, with the reason 'one cup broken'.",
    prepare: ({ must }) => must("hearth order --amount 400 && hearth pay last"),
    async solve({ run }) {
      const { output } = await run("hearth orders --state SUCCESS --limit 1 --json");
      const [{ out_trade_no, total } = { out_trade_no: "", total: 0 }] = JSON.parse(output) as Record<
        string,
        unknown
      >[];
      await run(
        `hearth refund ${String(out_trade_no)} --amount ${String(Number(total) / 2)} --reason 'one cup broken'`,
      );
      return "";
    },
    async isDone(machine) {
      const { out_trade_no = "" } = (await newestOrder(machine)) ?? {};
      const { refunds } = await machine.ofPlatform(`/sim/orders/${out_trade_no}`);
      return (refunds as { refund: number; reason?: string }[]).some(
        ({ refund, reason }) => refund === 200 && reason === "one cup broken",
      );
    },
  },

  expiry: {
    text: "Does an unpaid order end when nobody pays it? Prove it with a new order, then set the clock back. Answer with its last state.",
    prepare: ({ must }) => must("hearth order --amount 100 && hearth pay last"),
    async solve({ run }) {
      await run("hearth order --amount 300");
      await run("hearth clock advance 3h");
      await run("hearth wait order.closed --timeout 60s");
      const { output } = await run("hearth orders show last");
      await run("hearth clock reset");
      return /^state +(\w+)/m.exec(output)?.[1] ?? "";
    },
    async isDone(machine, answer) {
      const { offset_ms } = await machine.ofApp("/console/api/clock");
      const state = (await newestOrder(machine))?.trade_state;
      return state === "CLOSED" && answer.includes("CLOSED") && offset_ms === 0;
    },
  },

  unpaidAgain: {
    text: "Keep the present state as the snapshot 'before', pay the newest order, look at it, then make it unpaid again.",
    prepare: ({ must }) => must("hearth order --amount 100"),
    async solve({ run }) {
      await run("hearth snapshot save before");
      const { output } = await run("hearth pay last");
      await run("hearth snapshot restore before");
      return output;
    },
    async isDone(machine, answer) {
      const { fixtures } = await machine.ofApp("/console/api/fixtures");
      const names = (fixtures as { name: string }[]).map(({ name }) => name);
      const state = (await newestOrder(machine))?.trade_state;
      return isDeepStrictEqual([names, state], [["before"], "NOTPAY"]) && answer.includes("SUCCESS");
    },
  },

  lostNotification: {
    text: "The buyer paid the newest order, but the server still says NOTPAY. Find the cause, remove it, and let the server settle the order. Answer with the cause.",
    async prepare({ must }) {
      await must("hearth fault arm notification_lost");
      await must("hearth order --amount 100 && hearth pay last");
    },
    async solve({ run }) {
      await run("hearth orders show last");
      const { output } = await run("hearth fault");
      await run("hearth fault disarm --all");
      await run("hearth notify last");
      return /notification_\w+/.exec(output)?.[0] ?? "";
    },
    async isDone(machine, answer) {
      const { faults } = await machine.ofPlatform("/sim/faults");
      const settled = (await newestAtServer(machine))?.settled_at !== undefined;
      return settled && answer.includes("notification_lost") && (faults as unknown[]).length === 0;
    },
  },
};

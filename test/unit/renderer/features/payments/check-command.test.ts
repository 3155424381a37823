import { describe, expect, it } from "vitest";
import { checkCommand } from "../../../../../renderer/features/payments/receiver/check-command.ts";
import { commands } from "../../../../../server/cli/commands.ts";
import { parseCommandLine } from "../../../../../server/cli/command-parser.ts";
import { checkArguments } from "../../../../../server/cli/receiver/receiver-arguments.ts";
import type { ReceiverCheckRequest } from "../../../../../server/contract/provider/checks/receiver-checks.ts";

const app = "http://127.0.0.1:4000";
const own = `${app}/api/payments/notifications`;
/** What the command line asks the simulator for. */
function askedBy(words: readonly string[] | undefined): ReceiverCheckRequest | undefined {
  const { row, input } = parseCommandLine(words ?? [], commands);
  expect(row.name).toBe("check-receiver");
  return checkArguments(input, "/").request;
}

describe("The command line of a check", () => {
  it.each<ReceiverCheckRequest & { orders: { from: "open" | "simulator" } }>([
    { notify_url: "http://127.0.0.1:8080/notify", orders: { from: "simulator", version: "v3" } },
    {
      notify_url: "http://127.0.0.1:8080/api/payments/notifications",
      mch_id: "1900000110",
      refund_notify_url: "https://shop.example/refunds?a=1&b='2'",
      orders: { from: "simulator", version: "v2", sign_type: "HMAC-SHA256" },
      only: ["genuine", "lost"],
    },
    { orders: { from: "open" } },
    { notify_url: own, orders: { from: "open" }, only: ["genuine"] },
  ])("asks for the same: %j", (request) => {
    expect(askedBy(checkCommand({ ...request, asks_status: false }, app))).toEqual(request);
  });

  it("names Hearth's own receiver, and is none where the check sends requests to a backend", () => {
    const orders = { from: "backend" } as const;
    const check = { notify_url: own, orders, asks_status: true, only: ["genuine" as const] };
    expect(checkCommand(check, app)).toEqual(["check-receiver", "--hearth", "--only", "genuine"]);
    expect(checkCommand({ ...check, notify_url: own.replace("4000", "8080") }, app)).toBeUndefined();
    expect(checkCommand({ ...check, orders: { from: "open" } }, app)).toBeUndefined();
  });
});

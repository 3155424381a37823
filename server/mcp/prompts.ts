/** The prompts for common tasks. */
import { z } from "zod";
import type { McpPrompt } from "./mcp-content.ts";

const say = (text: string): ReturnType<McpPrompt["write"]> => [{ role: "user", content: { type: "text", text } }];

const order = z.string().describe("The order: its number or its out_trade_no.");
const receiver = z.string().describe("The URL of the receiver, as in http://127.0.0.1:8080/notify.");
const runner = z.string().optional().describe("The test runner. Default: the one that the project uses.");

export const hearthPrompts: readonly McpPrompt[] = [
  {
    name: "unpaid_order",
    title: "Why is this order unpaid?",
    description: "Finds the reason why an order has not become SUCCESS.",
    args: z.object({ order }),
    write: ({ order: named = "" }) =>
      say(
        `Find out why order ${named} at Hearth is not paid. List its requests with "requests", read the failed ones with "show", and ` +
          `check "fault_list" for injected faults. Only query order settles an order: a notification or the client's word does not. ` +
          `Name the request that decided it, and the smallest change that gets the order paid.`,
      ),
  },
  {
    name: "forged_notification_test",
    title: "Write a failing test for a forged notification",
    description: "Writes a test that fails while a receiver accepts a notification with a wrong signature.",
    args: z.object({ receiver, runner }),
    write: ({ receiver: url = "", runner: named }) =>
      say(
        `Write a test${named === undefined ? "" : ` for ${named}`} that fails while the payment receiver at ${url} accepts a forged ` +
          `notification. Start Hearth in the test with hearthkit (read hearth://docs/guides/hearthkit), place and pay an order, and send the ` +
          `forged notification as "notify" with forged does. Expect the receiver to refuse it and the order to stay as it was. Run the test, ` +
          `show that it fails, and do not change the receiver.`,
      ),
  },
  {
    name: "check_receiver",
    title: "Check a payment receiver",
    description: "Runs all checks of a receiver and explains each failure.",
    args: z.object({ receiver }),
    write: ({ receiver: url = "" }) =>
      say(
        `Check the payment receiver at ${url} with Hearth: read hearth://docs/guides/check-your-receiver, run "check_receiver" with it as ` +
          `notify_url, and explain each failed row: what was sent, what the receiver did, what it should do, and the lines of this project to change.`,
      ),
  },
  {
    name: "failed_requests",
    title: "Explain the failed requests",
    description: "Explains the last requests that were refused or failed.",
    write: () =>
      say(
        `List the last failed requests of Hearth with "requests" (failed: true). Read each kind of failure once with "show". For each kind ` +
          `say what the caller sent, why it was refused, and what it should send instead.`,
      ),
  },
  {
    name: "first_payment_test",
    title: "Write the first payment test",
    description: "Adds a test to this project that logs a user in, places an order, pays it and expects SUCCESS.",
    args: z.object({ runner }),
    write: ({ runner: named }) =>
      say(
        `Add a test${named === undefined ? "" : ` for ${named}`} to this project that logs a user in, places an order of ¥1.99, pays it, and ` +
          `expects trade_state SUCCESS. Read hearth://docs/guides/hearthkit first, use the project's own code where it has some, and run the test.`,
      ),
  },
];

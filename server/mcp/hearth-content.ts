/** The tools, resources and prompts that the MCP server of a Hearth offers. */
import type { HearthAction } from "../actions/action.ts";
import { actionTools, type Locate } from "./action-tools.ts";
import type { McpContent } from "./mcp-content.ts";
import { hearthPrompts } from "./prompts.ts";
import { descriptionResources } from "./resources/descriptions.ts";
import { fidelityResources } from "./resources/fidelity.ts";
import { guideResources } from "./resources/guides.ts";
import { requestResources } from "./resources/recorded-requests.ts";

const instructions = `Hearth simulates WeChat login and payments on this machine, and records each request. Use its tools to log \
simulated users in, place, pay and refund orders, look at requests, inject faults and reset the state. Amounts are fen: 199 is ¥1.99. \
A payment has succeeded only if trade_state is SUCCESS. Results hide tokens, keys and cookies. Long results come in pages: send \
next_cursor as cursor for the next one. The guides are resources: hearth://docs/guides/payments.`;

export interface HearthContentOptions {
  readonly actions: readonly HearthAction[];
  readonly locate: Locate;
  /** Offers only the tools that change nothing. */
  readonly isReadOnly: boolean;
}

export const hearthContent = async ({ actions, locate, isReadOnly }: HearthContentOptions): Promise<McpContent> => ({
  instructions,
  tools: actionTools(actions, locate, isReadOnly),
  resources: [
    ...(await guideResources()),
    ...descriptionResources(locate),
    ...fidelityResources(),
    ...requestResources(locate),
  ],
  prompts: hearthPrompts,
});

/** All actions, in the order of the general help. Commands and tools of MCP are made from this table. */
import type { HearthAction } from "./action.ts";
import { login } from "./payments/login.ts";
import { order } from "./payments/order.ts";
import { pay } from "./payments/pay.ts";

export const actions: readonly HearthAction[] = [login, order, pay];

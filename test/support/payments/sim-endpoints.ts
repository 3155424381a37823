import type { EndpointSpec } from "../../../server/contract/endpoint.ts";
import * as shares from "../../../server/contract/provider/profit-sharing/sim-shares.ts";
import * as contracts from "../../../server/contract/provider/papay/sim-contracts.ts";
import * as transfers from "../../../server/contract/provider/transfers/sim-transfers.ts";
import * as client from "../../../server/contract/provider/sim-client.ts";
import * as complaints from "../../../server/contract/provider/sim-complaints.ts";
import * as faults from "../../../server/contract/provider/sim-faults.ts";
import * as messagePush from "../../../server/contract/provider/sim-message-push.ts";
import * as miniProgram from "../../../server/contract/provider/sim-mini-program.ts";
import * as moneyMoves from "../../../server/contract/provider/sim-money-moves.ts";
import * as operations from "../../../server/contract/provider/sim-operations.ts";
import * as people from "../../../server/contract/provider/sim-people.ts";
import * as shipping from "../../../server/contract/provider/sim-shipping.ts";
import * as platform from "../../../server/contract/provider/sim-platform.ts";

/** All control routes that the contract has. */
export const simEndpoints: readonly EndpointSpec[] = Object.values({
  ...client,
  ...complaints,
  ...contracts,
  ...faults,
  ...messagePush,
  ...miniProgram,
  ...moneyMoves,
  ...operations,
  ...people,
  ...platform,
  ...shares,
  ...transfers,
  ...shipping,
}).flatMap((one) => (typeof one === "object" && "access" in one && one.access === "control" ? [one] : []));

/** Everything of a person at the platform's pay service: orders, contracts, transfers, shipments, complaints. */
import { useQuery } from "@tanstack/react-query";
import { listSimContracts, type SimContract } from "../../../../server/contract/provider/papay/sim-contracts.ts";
import { listSimComplaints, type SimComplaint } from "../../../../server/contract/provider/sim-complaints.ts";
import { listSimOrders } from "../../../../server/contract/provider/sim-operations.ts";
import type { SimOrder } from "../../../../server/contract/provider/sim-orders.ts";
import { getSimPerson, listSimPeople } from "../../../../server/contract/provider/sim-people.ts";
import { listSimShipments, type SimShipment } from "../../../../server/contract/provider/sim-shipping.ts";
import { listSimTransfers, type SimTransfer } from "../../../../server/contract/provider/transfers/sim-transfers.ts";
import { useRefetchOnActivity } from "../../../api/events/use-refetch-on-activity.ts";
import type { Call } from "../../../api/http/call.ts";
import { useApi } from "../../../api/use-api.ts";

export interface PaidOrder {
  readonly order: SimOrder;
  readonly shipment: SimShipment | undefined;
  /** The newest one. */
  readonly complaint: SimComplaint | undefined;
}

export interface WalletContents {
  readonly openid: string;
  readonly toPay: readonly SimOrder[];
  readonly contracts: readonly SimContract[];
  readonly transfers: readonly SimTransfer[];
  readonly paid: readonly PaidOrder[];
}

const mostOrders = 100;
const mostShown = 8;
const everyMs = 500;
/** Neither a request nor an event announces what the simulator's clock changes. */
const pollMs = 2_000;

async function loadWallet(call: Call, user: string, signal: AbortSignal): Promise<WalletContents> {
  const params = { name: user };
  const [person, people, { orders }, shipments, complaints, { contracts }] = await Promise.all([
    call(getSimPerson, { params, signal }),
    call(listSimPeople, { signal }),
    call(listSimOrders, { query: { limit: String(mostOrders), without_internal: "true" }, signal }),
    call(listSimShipments, { signal }),
    call(listSimComplaints, { signal }),
    call(listSimContracts, { query: {}, signal }),
  ]);
  const { openid } = person;
  const { transfers } = await call(listSimTransfers, { query: { openid }, signal });
  const others = new Set(people.filter(({ name }) => name !== user).map((other) => other.openid));
  // An openid without a person was made up by a program: anyone counts as its owner.
  const isOwn = (owner: string | undefined) => !others.has(owner ?? "");
  const own = orders.filter((order) => isOwn(order.payer ?? order.openid));
  const isOf =
    ({ mch_id, out_trade_no }: SimOrder) =>
    (one: { readonly mch_id: string; readonly out_trade_no: string }) =>
      one.mch_id === mch_id && one.out_trade_no === out_trade_no;
  return {
    openid,
    toPay: own.filter(isPayable).slice(0, mostShown),
    contracts: contracts.filter((contract) => isOwn(contract.openid)).slice(0, mostShown),
    transfers: transfers.slice(0, mostShown),
    paid: own
      .filter(isPaid)
      .slice(0, mostShown)
      .map((order) => ({ order, shipment: shipments.find(isOf(order)), complaint: complaints.find(isOf(order)) })),
  };
}

/** An order by payment code is paid at the till; a part, with its combined order. */
const isPayable = ({ trade_state, trade_type, combine_out_trade_no }: SimOrder) =>
  trade_state === "NOTPAY" && trade_type !== "MICROPAY" && combine_out_trade_no === undefined;

/** A combined order appears as its parts, each of which has its own merchant. */
const isPaid = ({ trade_state, sub_orders }: SimOrder) =>
  (trade_state === "SUCCESS" || trade_state === "REFUND") && sub_orders === undefined;

const openTransfers: readonly SimTransfer["state"][] = ["ACCEPTED", "WAIT_USER_CONFIRM", "TRANSFERING", "CANCELING"];

/** Whether the simulator's clock can change something: an end of waiting, a deduction. */
const changesByClock = ({ toPay, contracts, transfers, paid }: WalletContents) =>
  toPay.length > 0 ||
  contracts.some(({ state }) => state === "SIGNED") ||
  transfers.some(({ state }) => openTransfers.includes(state)) ||
  paid.some(({ shipment }) => shipment?.order_state === 2);

export function useWallet(user: string) {
  const { call } = useApi();
  const queryKey = ["phone", user, "wallet"];
  useRefetchOnActivity(queryKey, everyMs);
  return useQuery({
    queryKey,
    staleTime: 0,
    queryFn: ({ signal }) => loadWallet(call, user, signal),
    refetchInterval: ({ state }) => state.data !== undefined && changesByClock(state.data) && pollMs,
  });
}

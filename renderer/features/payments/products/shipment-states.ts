export type ShipmentState = "toShip" | "shipped" | "received" | "completed" | "refunded";

/** Words for the platform's numbers of an order's state. */
export const shipmentStates: Readonly<Record<number, ShipmentState>> = {
  1: "toShip",
  2: "shipped",
  3: "received",
  4: "completed",
  5: "refunded",
};

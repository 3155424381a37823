/** Views of the products beside orders, in the order of their tabs. */
export const productNames = ["shares", "transfers", "shipments", "complaints", "pushes"] as const;
export type ProductName = (typeof productNames)[number];

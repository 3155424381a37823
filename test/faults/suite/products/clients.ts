/**
 * A merchant that uses the platform's other products while faults happen: partner mode, combined orders, profit sharing,
 * transfers, shipping information, complaints and contracts. Each client keeps what was acknowledged to it.
 */
import type { Client } from "../client.ts";
import { moneyClients } from "./money-clients.ts";
import { orderClients } from "./order-clients.ts";
import { numberOf, openScene, type Promised } from "./scene.ts";

export async function openProducts(world: Parameters<typeof openScene>[0]) {
  const scene = await openScene(world);
  const acts = Object.entries({ ...moneyClients(scene), ...orderClients(scene) });
  return {
    clients: (promised: Promised[]): Client[] =>
      acts.map(([, act], at) => [150, (name) => act(`${numberOf(name)}K${String(at)}`, promised)]),
  };
}
export type Products = Awaited<ReturnType<typeof openProducts>>;

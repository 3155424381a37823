/** Orders in the states that described operations need. */
import type { TestApp } from "../app/test-app.ts";
import { eventually } from "../eventually.ts";

interface Served {
  readonly app: TestApp;
  /** Headers of a session that has passed every step. */
  readonly session: Readonly<Record<string, string>>;
}

const placeOrder = async ({ app, session }: Served, more: object = {}) => {
  const reply = await app.post(`${app.url}/api/orders`, { description: "Two tickets", amount: 101, ...more }, session);
  return (await reply.json()) as { data: { id: number; out_trade_no: string } };
};

export async function orderParams(server: Served) {
  return { params: { id: String((await placeOrder(server)).data.id) } };
}

export async function paidOrder(server: Served): Promise<string> {
  const { data } = await placeOrder(server);
  const { app, session } = server;
  await app.post(`${app.provider.url}/sim/orders/${data.out_trade_no}/pay`);
  await eventually(async () => {
    const reply = await fetch(`${app.url}/api/orders/${String(data.id)}`, { headers: session });
    if (!(await reply.text()).includes('"SUCCESS"')) throw new Error("the order is not paid yet");
  });
  return String(data.id);
}

export async function orderByCode(server: Served): Promise<string> {
  const issued = await server.app.post(`${server.app.provider.url}/sim/users/payer/payment-codes`, {});
  const { auth_code } = (await issued.json()) as { auth_code: string };
  return String((await placeOrder(server, { trade_type: "MICROPAY", auth_code })).data.id);
}

/** One that needs no signature: it tells of a failed communication, and is acknowledged. */
export async function notification() {
  return {
    headers: { "Content-Type": "text/xml" },
    raw: "<xml><return_code>FAIL</return_code><return_msg>lost</return_msg></xml>",
  };
}

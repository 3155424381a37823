/** What the merchants' programs in JavaScript share: where they are notified, and how they tell what came of their order. */
import { once } from "node:events";
import express from "express";

/**
 * @param serve adds the routes to an Express application; it calls its second argument with the provider's number of the
 * order that a genuine notification is about
 * @returns the notify_url, and that number once it is there
 */
export async function receive(serve) {
  const { promise: notified, resolve } = Promise.withResolvers();
  const app = express();
  serve(app, resolve);
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { notifyUrl: `http://127.0.0.1:${server.address().port}/`, notified };
}

/** The headers that an SDK asks for, and the body, of a notification of version 3. */
export const signedParts = ({ headers, body }) => ({
  timestamp: headers["wechatpay-timestamp"],
  nonce: headers["wechatpay-nonce"],
  serial: headers["wechatpay-serial"],
  signature: headers["wechatpay-signature"],
  body,
});

/** @param outcome what was seen of the order: `notified`, `state`, `refund` */
export const tell = (outcome) => process.stdout.write(JSON.stringify(outcome), () => process.exit());

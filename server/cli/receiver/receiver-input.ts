/** The input of `hearth check-receiver`. */
import { z } from "zod";
import { text, texts, toggle } from "../../process/command-line/inputs.ts";

export const receiverInput = z
  .object({
    notify_url: text("URL", "where the receiver takes notifications; default: the orders' own notify_url"),
    refund_notify_url: text("URL", "where it takes those of refunds (the rows refund-… need it)"),
    hearth: toggle("check Hearth's own receiver, with orders of a user of its own; nothing else is needed"),
    order_url: text(
      "URL",
      "ask the backend to place an order for each row; the order is found by what appears at the simulator meanwhile",
    ),
    order_method: text("METHOD", "default POST"),
    order_header: texts("'N: V'", "may be given several times"),
    order_body: text("TEXT", "{unique} in it, in the URL and in headers becomes a text of its own for each order"),
    order_number_at: text("PATH", "where the JSON reply has the order's number (out_trade_no), as in data.order_no"),
    open_orders: toggle("use the merchant's orders that wait for payment, one for each row"),
    mch_id: text("NUMBER", "whose orders; default: the built-in merchant's"),
    version: text("v2|v3", "of orders that the check makes; with --hearth, by which version Hearth makes its own"),
    sign_type: text("MD5|HMAC-SHA256", "of orders that the check makes"),
    status_url: text(
      "URL",
      "asked whether the backend has settled an order: {out_trade_no} in it is replaced, {reply.PATH} by what the reply to the order has there. It must not ask the provider itself",
    ),
    status_header: texts("'N: V'", "may be given several times"),
    settled_when: text(
      "PATH=VALUE",
      "what the status says of a settled order, in JSON; PATH alone: it is there. As in data.paid=true, orders[0].paid_at or orders[number={out_trade_no}][0].paid_at",
    ),
    settlements_at: text("PATH", "where the status has how often the order was settled"),
    reconcile_within: text(
      "SECONDS",
      "how long the receiver may take to find out about a payment that it is never notified of",
    ),
    provider_url: text("URL", "the simulator of a running Hearth"),
    ready_file: text("FILE", "a running Hearth, by the file that it has written"),
    data_dir: text("DIR", "the data directory of a running Hearth"),
    provider_port: text("PORT", "of the Hearth that is started for the check; default: a free one"),
    only: texts("ROW", "this row alone; may be given several times"),
    list: toggle("print the rows and end"),
    junit: text("FILE", "also write the report there for JUnit"),
    json: text("FILE", "also write the report there as JSON"),
  })
  .describe(
    `Tries everything that can go wrong with payment notifications on a receiver: forged, repeated, reordered, late, wrong and \
broken ones, of version 2 or 3, and prints how it behaved. The backend takes part as it is: it calls the simulator (its base URL \
for payments) in place of the provider, as merchant 1900000109 with the keys of GET /sim/credentials.

Each row needs an order that can be paid. Without --order-url, --open-orders and --hearth, the check makes orders that only the \
simulator knows. Most receivers refuse orders that they have not placed; what can still be judged is judged. Without --status-url \
only answers and calls of query order are judged.

Which Hearth: the running one of the data directory, else one that is started for this.

Exit code: 0 all that was judged passed, 1 a row failed or nothing could be judged, 2 bad usage, 130 cancelled.`,
  );

export type ReceiverInput = z.output<typeof receiverInput>;

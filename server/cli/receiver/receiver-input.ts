/** The input of `hearth check-receiver`. */
import { z } from "zod";
import { optionalText, text, texts, toggle } from "../../process/command-line/inputs.ts";

export const receiverInput = z
  .object({
    notify_url: text("URL", "the receiver's URL for payment notifications; default: the orders' notify_url"),
    refund_notify_url: text("URL", "the receiver's URL for refund notifications; required by the rows refund-…"),
    product_notify_url: text(
      "URL",
      "the receiver's URL for notifications of profit sharing, transfers, complaints, contracts and combined orders; required by their rows",
    ),
    hearth: toggle("check Hearth's own receiver with orders of a separate user; needs no other flag"),
    order_url: text(
      "URL",
      "backend URL that places an order for each row; the check finds the new order at the simulator",
    ),
    order_method: text("METHOD", "method of --order-url; default: POST"),
    order_header: texts("'N: V'", "header of --order-url; repeatable"),
    order_body: text(
      "TEXT",
      "body of --order-url; {unique} in body, URL and headers is replaced by a different text for each order",
    ),
    order_number_at: text("PATH", "path of the order number (out_trade_no) in the JSON reply, such as data.order_no"),
    open_orders: toggle("use the merchant's unpaid orders, one for each row"),
    mch_id: text("NUMBER", "merchant number of the orders; default: the built-in merchant"),
    version: text("v2|v3", "API version of the orders that the check or, with --hearth, Hearth creates"),
    sign_type: text("MD5|HMAC-SHA256", "signature type of the orders that the check creates"),
    status_url: text(
      "URL",
      "backend URL that returns whether an order is settled. {out_trade_no} and {reply.PATH} (a value of the reply to the order) are replaced. The URL must not query the platform itself",
    ),
    status_header: texts("'N: V'", "header of --status-url; repeatable"),
    settled_when: text(
      "PATH=VALUE",
      "value in the JSON status that means settled; PATH alone: any value. Examples: data.paid=true, orders[0].paid_at, orders[number={out_trade_no}][0].paid_at",
    ),
    settlements_at: text("PATH", "path of the number of settlements in the status"),
    reconcile_within: text("SECONDS", "time for the receiver to find a payment without a notification"),
    provider_url: text("URL", "simulator of a running Hearth"),
    ready_file: text("FILE", "ready file of a running Hearth"),
    data_dir: text("DIR", "data directory of a running Hearth"),
    provider_port: text("PORT", "simulator port of a Hearth started for the check; default: any free port"),
    only: texts("ROW", "run only this row; repeatable"),
    list: toggle("print the rows and exit"),
    junit: text("FILE", "also write the report as JUnit XML"),
    json: optionalText("FILE", "also write the report as JSON; without FILE, print only this JSON"),
  })
  .describe(
    `Sends forged, repeated, reordered, late, wrong and broken payment notifications of version 2 or 3 to a receiver. Prints how the \
receiver reacts. The backend needs no change: set its base URL for payments to the simulator. Use merchant 1900000109 and the keys \
of GET /sim/credentials.

Each row needs an unpaid order. Without --order-url, --open-orders or --hearth, the check creates orders that only the simulator \
has. Most receivers refuse orders they did not place, so some rows are not judged. Without --status-url, only replies and calls \
of query order are judged.

The check uses the running Hearth of the data directory; otherwise it starts one.

Exit code: 0 all judged rows passed, 1 a row failed or none was judged, 2 bad usage, 130 cancelled.`,
  );

export type ReceiverInput = z.output<typeof receiverInput>;

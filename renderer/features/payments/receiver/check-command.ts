import { ownNotifyUrl } from "../../../../server/contract/provider/checks/own-receiver-check.ts";
import type { ReceiverCheck } from "../../../../server/contract/provider/checks/receiver-checks.ts";

type Asked = Pick<
  ReceiverCheck,
  "notify_url" | "refund_notify_url" | "product_notify_url" | "mch_id" | "orders" | "asks_status" | "only"
>;

/**
 * The words of the command line that runs the same check; undefined for one that sends requests to a backend, whose
 * headers are nobody's to see.
 * @param app base URL of the application server, whose receiver Hearth knows how to check
 */
export function checkCommand(asked: Asked, app: string | undefined): string[] | undefined {
  const { from, version, sign_type } = asked.orders;
  const rows = (asked.only ?? []).flatMap((row) => ["--only", row]);
  if (from === "backend" && app !== undefined && asked.notify_url === ownNotifyUrl(app))
    return ["check-receiver", "--hearth", ...rows];
  if (from === "backend" || asked.asks_status) return undefined;
  const flagOf = (flag: string, value: string | undefined) => (value === undefined ? [] : [flag, value]);
  return [
    "check-receiver",
    ...flagOf("--notify-url", asked.notify_url),
    ...flagOf("--refund-notify-url", asked.refund_notify_url),
    ...flagOf("--product-notify-url", asked.product_notify_url),
    ...flagOf("--mch-id", asked.mch_id),
    ...(from === "open" ? ["--open-orders"] : [...flagOf("--version", version), ...flagOf("--sign-type", sign_type)]),
    ...rows,
  ];
}

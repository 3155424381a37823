/** The command line of `hearth check-receiver`. */
import { resolve } from "node:path";
import { receiverCheckRows } from "../../contract/provider/receiver-check-rows.ts";
import {
  headerName,
  mostWaitMs,
  receiverCheckInputSchema,
  type ReceiverCheckRequest,
} from "../../contract/provider/receiver-checks.ts";
import { plainProblem } from "../../process/settings/plain-problem.ts";
import { parseFlags, SettingsError } from "../../process/settings/read-settings.ts";

export const checkReceiverHelp = `Usage: hearth check-receiver --notify-url URL [options]
       hearth check-receiver --hearth

Tries everything that can go wrong with payment notifications on a receiver: forged, repeated, reordered, late, wrong and
broken ones, of version 2 or 3, and prints how it behaved. The backend takes part as it is: it calls the simulator (its base
URL for payments) in place of the provider, as merchant 1900000109 with the keys of GET /sim/credentials.

Whose receiver:
  --notify-url URL           where it takes notifications; the orders' own notify_url unless given
  --refund-notify-url URL    where it takes those of refunds (the rows refund-… need it)
  --hearth                   Hearth's own, with orders of a user of its own; nothing else is needed

Each row needs an order that can be paid:
  --order-url URL            ask the backend to place one; it is found by what appears at the simulator meanwhile
  --order-method METHOD      POST unless given
  --order-header 'N: V'      may be given several times
  --order-body TEXT          {unique} in it, in the URL and in headers becomes a text of its own for each order
  --order-number-at PATH     where the JSON reply has the order's number (out_trade_no), as in data.order_no
  --open-orders              take the merchant's orders that wait for payment, one for each row
                             Without these the check makes orders that only the simulator knows. Most receivers refuse
                             what they have not placed; what can still be judged then is judged.
  --mch-id NUMBER            whose orders; the built-in merchant's unless given
  --version v2|v3            of such orders; with --hearth, by which version Hearth makes its own
  --sign-type MD5|HMAC-SHA256

Whether the backend has settled an order (without it only answers and calls of query order are judged):
  --status-url URL           {out_trade_no} in it is replaced, {reply.PATH} by what the reply to the order has there.
                             It must not ask the provider itself.
  --status-header 'N: V'     may be given several times
  --settled-when PATH=VALUE  what its JSON says of a settled order; PATH alone: it is there. As in data.paid=true,
                             orders[0].paid_at or orders[number={out_trade_no}][0].paid_at
  --settlements-at PATH      where it has how often the order was settled
  --reconcile-within SECONDS how long the receiver may take to find out about a payment of which it is never told

Which Hearth: the running one of the data directory, else one that is started for this.
  --provider-url URL         the simulator of a running one
  --ready-file FILE          a running one, by the file that it has written
  --data-dir DIR             the data directory of a running one
  --provider-port PORT       of the one that is started; a free one unless given

  --only ROW                 this row alone; may be given several times
  --list                     print the rows and end
  --junit FILE, --json FILE  write the report for machines as well

Exit code: 0 all that was judged passed, 1 a row failed or nothing could be judged, 2 bad usage, 130 cancelled.
`;

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean" } as const;

const options = {
  "notify-url": text,
  "refund-notify-url": text,
  hearth: flag,
  "order-url": text,
  "order-method": text,
  "order-header": texts,
  "order-body": text,
  "order-number-at": text,
  "open-orders": flag,
  "mch-id": text,
  version: text,
  "sign-type": text,
  "status-url": text,
  "status-header": texts,
  "settled-when": text,
  "settlements-at": text,
  "reconcile-within": text,
  "provider-url": text,
  "ready-file": text,
  "data-dir": text,
  "provider-port": text,
  only: texts,
  list: flag,
  junit: text,
  json: text,
} as const;

const parse = (argv: readonly string[]) => parseFlags(argv, { own: options, settings: [], most: 0 }).own;
type Values = ReturnType<typeof parse>;

export interface CheckArguments {
  readonly values: Values;
  /** Undefined for Hearth's own receiver, whose address comes from the run. */
  readonly request: ReceiverCheckRequest | undefined;
  /** Options for either receiver. */
  readonly limits: Pick<ReceiverCheckRequest, "only" | "reconcile_within_ms">;
  /** Absolute path. */
  readonly junit?: string | undefined;
  readonly json?: string | undefined;
}

function headersOf(given: readonly string[] | undefined, name: string): Record<string, string> {
  const pairs = (given ?? []).map((one) => {
    const [, header, value] = /^([^\s:]+)\s*:\s*(.*)$/s.exec(one) ?? [];
    if (header === undefined || value === undefined || !headerName.test(header))
      throw new SettingsError(`--${name}: write it as 'Name: value', not ${JSON.stringify(one)}`);
    return [header, value] as const;
  });
  return Object.fromEntries(pairs);
}

function orderHeaders(values: Values): Record<string, string> {
  const headers = headersOf(values["order-header"], "order-header");
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const isJson = /^\s*[{[]/.test(values["order-body"] ?? "");
  return { ...(isJson && !isTyped && { "Content-Type": "application/json" }), ...headers };
}

function ordersOf(values: Values): ReceiverCheckRequest["orders"] {
  const url = values["order-url"];
  if (url !== undefined)
    return {
      from: "backend",
      url,
      headers: orderHeaders(values),
      ...(values["order-method"] !== undefined && { method: values["order-method"].toUpperCase() }),
      ...(values["order-body"] !== undefined && { body: values["order-body"] }),
      ...(values["order-number-at"] !== undefined && { out_trade_no_at: values["order-number-at"] }),
    };
  if (values["open-orders"]) return { from: "open" };
  return { from: "simulator", ...versionOf(values) } as ReceiverCheckRequest["orders"];
}

const versionOf = ({ version, "sign-type": signType }: Values) => ({
  ...(version !== undefined && { version }),
  ...(signType !== undefined && { sign_type: signType }),
});

function statusOf(values: Values): ReceiverCheckRequest["status"] {
  const url = values["status-url"];
  return url === undefined
    ? undefined
    : {
        url,
        headers: headersOf(values["status-header"], "status-header"),
        settled_when: values["settled-when"],
        settlements_at: values["settlements-at"],
      };
}

/** Flags that require or exclude another one. */
function refuseNonsense(values: Values): void {
  const isGiven = (name: keyof Values) => values[name] !== undefined;
  const needs = (needed: keyof Values, names: readonly (keyof Values)[]) => {
    const lonely = isGiven(needed) ? undefined : names.find(isGiven);
    if (lonely !== undefined) throw new SettingsError(`--${lonely} is of no use without --${needed}`);
  };
  const excludes = (name: keyof Values, names: readonly (keyof Values)[]) => {
    const other = isGiven(name) ? names.find(isGiven) : undefined;
    if (other !== undefined) throw new SettingsError(`--${other} is of no use beside --${name}`);
  };
  needs("order-url", ["order-method", "order-header", "order-body", "order-number-at"]);
  needs("status-url", ["status-header", "settled-when", "settlements-at"]);
  excludes("order-url", ["open-orders", "version", "sign-type"]);
  excludes("open-orders", ["version", "sign-type"]);
  const orders = ["order-url", "open-orders", "mch-id"] as const;
  excludes("hearth", ["notify-url", "refund-notify-url", "status-url", "provider-url", ...orders]);
  if (values.hearth) for (const run of ["ready-file", "data-dir"] as const) excludes(run, ["version", "sign-type"]);
  const runs = ["provider-url", "ready-file", "data-dir", "provider-port"] as const;
  for (const [index, run] of runs.entries()) excludes(run, runs.slice(index + 1));
}

const flagOfField: Readonly<Record<string, string>> = {
  "orders.url": "--order-url",
  "orders.out_trade_no_at": "--order-number-at",
  "orders.headers": "--order-header",
  "status.headers": "--status-header",
  "status.settlements_at": "--settlements-at",
  "status.settled_when": "--settled-when",
};

/** @throws SettingsError naming the invalid flag */
function checked(request: ReceiverCheckRequest): ReceiverCheckRequest {
  const parsed = receiverCheckInputSchema.safeParse(request, { error: plainProblem });
  if (parsed.success) return request;
  const [issue] = parsed.error.issues;
  const [first, second] = (issue?.path ?? []).map(String);
  if (first === "only") throw new SettingsError(`--only: there is no such row; --list names them`);
  if (first === "reconcile_within_ms")
    throw new SettingsError(`--reconcile-within takes seconds, 0 to ${String(mostWaitMs / 1000)}`);
  const field = second === undefined ? String(first) : `${String(first)}.${second}`;
  const name =
    flagOfField[field] ??
    `--${field
      .replace(/^orders\./, "order-")
      .replace(".", "-")
      .replaceAll("_", "-")}`;
  const own = name.replace(/^--order-(version|sign-type)$/, "--$1");
  throw new SettingsError(`${own}: ${issue?.message ?? "is not valid"}`);
}

const millisecondsOf = (seconds: string | undefined) => (seconds === undefined ? undefined : Number(seconds) * 1000);

/** @throws SettingsError */
export function parseCheckArguments(argv: readonly string[], cwd: string): CheckArguments {
  const values = parse(argv);
  refuseNonsense(values);
  const limits = {
    ...(values.only !== undefined && { only: values.only as ReceiverCheckRequest["only"] }),
    ...(values["reconcile-within"] !== undefined && {
      reconcile_within_ms: millisecondsOf(values["reconcile-within"]),
    }),
  };
  const status = statusOf(values);
  const request: ReceiverCheckRequest = {
    ...limits,
    ...(values["notify-url"] !== undefined && { notify_url: values["notify-url"] }),
    ...(values["refund-notify-url"] !== undefined && { refund_notify_url: values["refund-notify-url"] }),
    ...(values["mch-id"] !== undefined && { mch_id: values["mch-id"] }),
    orders: ordersOf(values),
    ...(status && { status }),
  };
  if (!values.list) checked(values.hearth ? { ...request, notify_url: "http://127.0.0.1" } : request);
  const file = (name: "junit" | "json") => (values[name] === undefined ? undefined : resolve(cwd, values[name]));
  return {
    values,
    limits,
    request: values.hearth ? undefined : request,
    junit: file("junit"),
    json: file("json"),
  };
}

export function listRows(): string {
  const rows = Object.entries(receiverCheckRows);
  const width = Math.max(...rows.map(([id]) => id.length));
  return rows.map(([id, { sent, right }]) => `${id.padEnd(width)}  ${sent}\n${" ".repeat(width)}  ${right}\n`).join("");
}

/** The command line of `hearth check-receiver`. */
import { receiverRows } from "../../contract/provider/checks/receiver-rows.ts";
import {
  mostWaitMs,
  receiverCheckInputSchema,
  type ReceiverCheckRequest,
} from "../../contract/provider/checks/receiver-checks.ts";
import { headerName } from "../../contract/provider/checks/receiver-check-requests.ts";
import { plainProblem } from "../../process/settings/plain-problem.ts";
import { flagName, SettingsError } from "../../process/settings/read-settings.ts";
import type { ReceiverInput } from "./receiver-input.ts";
import { reportFiles, type Reports } from "./report-check.ts";

export interface CheckArguments extends Reports {
  readonly values: ReceiverInput;
  /** Undefined for Hearth's own receiver, whose address comes from the run. */
  readonly request: ReceiverCheckRequest | undefined;
  /** Options for either receiver. */
  readonly limits: Pick<ReceiverCheckRequest, "only" | "reconcile_within_ms">;
}

function headersOf(flags: readonly string[] | undefined, name: string): Record<string, string> {
  const pairs = (flags ?? []).map((one) => {
    const [, header, value] = /^([^\s:]+)\s*:\s*(.*)$/s.exec(one) ?? [];
    if (header === undefined || value === undefined || !headerName.test(header))
      throw new SettingsError(`${flagName(name)}: write it as 'Name: value', not ${JSON.stringify(one)}`);
    return [header, value] as const;
  });
  return Object.fromEntries(pairs);
}

function orderHeaders(values: ReceiverInput): Record<string, string> {
  const headers = headersOf(values.order_header, "order_header");
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  const isJson = /^\s*[{[]/.test(values.order_body ?? "");
  return { ...(isJson && !isTyped && { "Content-Type": "application/json" }), ...headers };
}

function ordersOf(values: ReceiverInput): ReceiverCheckRequest["orders"] {
  const url = values.order_url;
  if (url !== undefined)
    return {
      from: "backend",
      url,
      headers: orderHeaders(values),
      ...(values.order_method !== undefined && { method: values.order_method.toUpperCase() }),
      ...(values.order_body !== undefined && { body: values.order_body }),
      ...(values.order_number_at !== undefined && { out_trade_no_at: values.order_number_at }),
    };
  if (values.open_orders) return { from: "open" };
  return { from: "simulator", ...versionOf(values) } as ReceiverCheckRequest["orders"];
}

const versionOf = ({ version, sign_type: signType }: ReceiverInput) => ({
  ...(version !== undefined && { version }),
  ...(signType !== undefined && { sign_type: signType }),
});

function statusOf(values: ReceiverInput): ReceiverCheckRequest["status"] {
  const url = values.status_url;
  return url === undefined
    ? undefined
    : {
        url,
        headers: headersOf(values.status_header, "status_header"),
        settled_when: values.settled_when,
        settlements_at: values.settlements_at,
      };
}

/** Flags that require or exclude another one. */
function refuseNonsense(values: ReceiverInput): void {
  const isGiven = (name: keyof ReceiverInput) => values[name] !== undefined;
  const needs = (needed: keyof ReceiverInput, names: readonly (keyof ReceiverInput)[]) => {
    const lonely = isGiven(needed) ? undefined : names.find(isGiven);
    if (lonely !== undefined) throw new SettingsError(`${flagName(lonely)} requires ${flagName(needed)}`);
  };
  const excludes = (name: keyof ReceiverInput, names: readonly (keyof ReceiverInput)[]) => {
    const other = isGiven(name) ? names.find(isGiven) : undefined;
    if (other !== undefined) throw new SettingsError(`${flagName(other)} cannot be combined with ${flagName(name)}`);
  };
  needs("order_url", ["order_method", "order_header", "order_body", "order_number_at"]);
  needs("status_url", ["status_header", "settled_when", "settlements_at"]);
  excludes("order_url", ["open_orders", "version", "sign_type"]);
  excludes("open_orders", ["version", "sign_type"]);
  const orders = ["order_url", "open_orders", "mch_id"] as const;
  excludes("hearth", [
    "notify_url",
    "refund_notify_url",
    "product_notify_url",
    "status_url",
    "provider_url",
    ...orders,
  ]);
  if (values.hearth) for (const run of ["ready_file", "data_dir"] as const) excludes(run, ["version", "sign_type"]);
  const runs = ["provider_url", "ready_file", "data_dir", "provider_port"] as const;
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
  if (first === "only") throw new SettingsError(`--only: unknown row; --list prints the rows`);
  if (first === "reconcile_within_ms")
    throw new SettingsError(`--reconcile-within must be 0 to ${String(mostWaitMs / 1000)} seconds`);
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
export function checkArguments(values: ReceiverInput, cwd: string): CheckArguments {
  refuseNonsense(values);
  const limits = {
    ...(values.only !== undefined && { only: values.only as ReceiverCheckRequest["only"] }),
    ...(values.reconcile_within !== undefined && {
      reconcile_within_ms: millisecondsOf(values.reconcile_within),
    }),
  };
  const status = statusOf(values);
  const request: ReceiverCheckRequest = {
    ...limits,
    ...(values.notify_url !== undefined && { notify_url: values.notify_url }),
    ...(values.refund_notify_url !== undefined && { refund_notify_url: values.refund_notify_url }),
    ...(values.product_notify_url !== undefined && { product_notify_url: values.product_notify_url }),
    ...(values.mch_id !== undefined && { mch_id: values.mch_id }),
    orders: ordersOf(values),
    ...(status && { status }),
  };
  if (!values.list) checked(values.hearth ? { ...request, notify_url: "http://127.0.0.1" } : request);
  return {
    values,
    limits,
    request: values.hearth ? undefined : request,
    ...reportFiles(values, cwd),
  };
}

export function listRows(): string {
  const rows = Object.entries(receiverRows);
  const width = Math.max(...rows.map(([id]) => id.length));
  return rows.map(([id, { sent, right }]) => `${id.padEnd(width)}  ${sent}\n${" ".repeat(width)}  ${right}\n`).join("");
}

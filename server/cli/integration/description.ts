/** Reads hearth.integration.yaml: how to place, look up, refund and close an order in the user's backend. */
import { readFileSync, statSync } from "node:fs";
import { LineCounter, parseDocument } from "yaml";
import { z } from "zod";
import type { BackendActions } from "../../contract/provider/checks/receiver-check-requests.ts";
import {
  mostWaitMs,
  receiverCheckInputSchema,
  type ReceiverCheckRequest,
} from "../../contract/provider/checks/receiver-checks.ts";
import { plainProblem } from "../../process/settings/plain-problem.ts";
import { SettingsError } from "../../process/settings/read-settings.ts";

const mostBytes = 256 * 1024;
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

const address = z.string().regex(/^(?:https?:\/\/.|\/)/i, "must be a path such as /orders, or an http or https URL");
const path = z.string().min(1);
const methodMembers = Object.fromEntries(methods.map((method) => [method, address.optional()])) as Record<
  (typeof methods)[number],
  z.ZodOptional<typeof address>
>;

/** A request: one member named like its method, with the path; perhaps headers and a body. */
const request = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .strictObject({
      ...methodMembers,
      headers: z.record(z.string(), z.string()).default({}),
      body: z.unknown().optional(),
      ...shape,
    })
    .refine((given) => methods.filter((method) => method in given).length === 1, {
      message: "must have one of GET, POST, PUT, PATCH and DELETE, with the path",
    });

const seconds = z
  .number()
  .min(0)
  .max(mostWaitMs / 1000);

const descriptionSchema = z.strictObject({
  backend: z.string().regex(/^https?:\/\/[^/]/i, "must be an http or https URL"),
  notify: address.optional(),
  refund_notify: address.optional(),
  product_notify: address.optional(),
  merchant: z.string().optional(),
  place: request({ number: path }),
  look_up: z.strictObject({
    GET: address,
    headers: z.record(z.string(), z.string()).default({}),
    settled: path,
    settlements: path.optional(),
    refunded: path.optional(),
    failed: path.optional(),
  }),
  refund: request({}),
  close: request({}).optional(),
  pay: request({ prepay: path }).optional(),
  reconcile: request({ differences: path }).optional(),
  finds_within: seconds.optional(),
});
type Description = z.output<typeof descriptionSchema>;
type Described = { readonly headers: Readonly<Record<string, string>>; readonly body?: unknown } & Readonly<
  Partial<Record<(typeof methods)[number], string | undefined>>
>;

/** The order number has a short name in the file. */
const named = (text: string) => text.replaceAll("{number}", "{out_trade_no}");

const orNot = <Key extends string>(key: Key, value: string | undefined) =>
  (value === undefined ? {} : { [key]: named(value) }) as Partial<Record<Key, string>>;

/** `{"amount": "{amount}"}` becomes a number. */
const jsonBody = (body: unknown) => named(JSON.stringify(body)).replaceAll('"{amount}"', "{amount}");

class Requests {
  readonly #backend: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(backend: string, env: NodeJS.ProcessEnv) {
    this.#backend = backend.replace(/\/$/, "");
    this.#env = env;
  }

  url(address: string): string {
    return named(address.startsWith("/") ? this.#backend + address : address);
  }

  /** `${NAME}` is a variable of the environment, so that the file needs no secrets. @throws SettingsError */
  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const filled = (text: string) =>
      text.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => {
        const value = this.#env[name];
        if (value === undefined) throw new SettingsError(`a header names the variable ${name}, which is not set`);
        return value;
      });
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, named(filled(value))]));
  }

  of(described: Described): NonNullable<BackendActions["refund"]> {
    const method = methods.find((one) => described[one] !== undefined) ?? "POST";
    const { body } = described;
    const headers = this.headers(described.headers);
    const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
    const isJson = body !== undefined && typeof body !== "string";
    return {
      method,
      url: this.url(described[method] ?? ""),
      headers: { ...(isJson && !isTyped && { "Content-Type": "application/json" }), ...headers },
      ...(body !== undefined && { body: isJson ? jsonBody(body) : named(body) }),
    };
  }
}

function toRequest(description: Description, env: NodeJS.ProcessEnv): ReceiverCheckRequest {
  const requests = new Requests(description.backend, env);
  const { notify, refund_notify, product_notify, merchant, place, look_up, refund, close, pay, reconcile } =
    description;
  const { finds_within: findsWithin = 0 } = description;
  return {
    ...(notify !== undefined && { notify_url: requests.url(notify) }),
    ...(refund_notify !== undefined && { refund_notify_url: requests.url(refund_notify) }),
    ...(product_notify !== undefined && { product_notify_url: requests.url(product_notify) }),
    ...(merchant !== undefined && { mch_id: merchant }),
    orders: { from: "backend", ...requests.of(place), out_trade_no_at: place.number },
    status: {
      url: requests.url(look_up.GET),
      headers: requests.headers(look_up.headers),
      ...orNot("settled_when", look_up.settled),
      ...orNot("settlements_at", look_up.settlements),
      ...orNot("refunded_at", look_up.refunded),
      ...orNot("failed_when", look_up.failed),
    },
    actions: {
      refund: requests.of(refund),
      ...(close && { close: requests.of(close) }),
      ...(pay && { pay: { ...requests.of(pay), prepay_at: pay.prepay } }),
      ...(reconcile && { reconcile: { ...requests.of(reconcile), differences_at: reconcile.differences } }),
    },
    reconcile_within_ms: findsWithin * 1000,
  };
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > mostBytes) throw new Error(`it has more than ${String(mostBytes / 1024)} KiB`);
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new SettingsError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

export interface Backend {
  /** Its base URL. */
  readonly url: string;
  readonly request: ReceiverCheckRequest;
}

/** @throws SettingsError naming the file, the line and the member */
export function readDescription(file: string, env: NodeJS.ProcessEnv): Backend {
  const lines = new LineCounter();
  const document = parseDocument(textOf(file), { lineCounter: lines });
  const refuse = (place: string, problem: string): never => {
    throw new SettingsError(`${file}: ${place}${problem}`);
  };
  const [broken] = document.errors;
  if (broken) refuse(`line ${String(broken.linePos?.[0].line ?? 1)}: `, broken.message.split("\n")[0] ?? "");
  const read = descriptionSchema.safeParse(document.toJS({ maxAliasCount: 100 }), { error: plainProblem });
  if (!read.success) {
    const { path: at = [], message = "" } = read.error.issues[0] ?? {};
    return refuse(at.length > 0 ? `${at.join(".")} ` : "the description ", message);
  }
  const request = toRequest(read.data, env);
  const checked = receiverCheckInputSchema.safeParse(request, { error: plainProblem });
  const [issue] = checked.error?.issues ?? [];
  if (issue) refuse(`${memberOf(issue.path.map(String))} `, issue.message);
  return { url: read.data.backend, request };
}

/** The member of the file behind a member of the request. */
function memberOf([first = "", second = "", third]: readonly string[]): string {
  const names: Readonly<Record<string, string>> = {
    "orders.out_trade_no_at": "place.number",
    orders: "place",
    "status.settled_when": "look_up.settled",
    "status.settlements_at": "look_up.settlements",
    "status.refunded_at": "look_up.refunded",
    "status.failed_when": "look_up.failed",
    status: "look_up",
    "actions.pay.prepay_at": "pay.prepay",
    "actions.reconcile.differences_at": "reconcile.differences",
    actions: second,
    notify_url: "notify",
    refund_notify_url: "refund_notify",
    product_notify_url: "product_notify",
    mch_id: "merchant",
    reconcile_within_ms: "finds_within",
  };
  return names[`${first}.${second}.${String(third)}`] ?? names[`${first}.${second}`] ?? names[first] ?? first;
}

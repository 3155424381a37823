/** The description of a merchant's backend (hearth.integration.yaml), and the check that it asks for. */
import { z } from "zod";
import type { BackendActions } from "./receiver-check-requests.ts";
import { mostWaitMs, type ReceiverCheckRequest } from "./receiver-checks.ts";

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

export const descriptionSchema = z.strictObject({
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

type Variable = (name: string) => string;

/** The order number has a short name in the file. */
const named = (text: string) => text.replaceAll("{number}", "{out_trade_no}");

const orNot = <Key extends string>(key: Key, value: string | undefined) =>
  (value === undefined ? {} : { [key]: named(value) }) as Partial<Record<Key, string>>;

/** `{"amount": "{amount}"}` becomes a number. */
const jsonBody = (body: unknown) => named(JSON.stringify(body)).replaceAll('"{amount}"', "{amount}");

class Requests {
  readonly #backend: string;
  readonly #variable: Variable;

  constructor(backend: string, variable: Variable) {
    this.#backend = backend.replace(/\/$/, "");
    this.#variable = variable;
  }

  url(address: string): string {
    return named(address.startsWith("/") ? this.#backend + address : address);
  }

  /** `${NAME}` is a variable, so that the file needs no secrets. */
  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    const filled = (text: string) => text.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => this.#variable(name));
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

/** @param variable the value of a variable that a header names */
export function describedRequest(description: Description, variable: Variable): ReceiverCheckRequest {
  const requests = new Requests(description.backend, variable);
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

/** The member of the file behind a member of the request. */
export function describedMember([first = "", second = "", third]: readonly string[]): string {
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

/** The faults as questions of somebody who tests a client or a backend, each with a picture and with presets. */
import { faultInputSchema } from "../../../server/contract/console/control.ts";
import { simFaultInputSchema } from "../../../server/contract/provider/sim-faults.ts";
import type { FaultOrigin, FaultRow } from "./fault-row.ts";
import type { Sequence } from "./sequence.ts";
import type { NewFault } from "./use-faults.ts";

/** A fault that one click arms. */
export interface Preset {
  /** Its text: `faults.presets.<name>`. */
  readonly name: PresetName;
  readonly fault: NewFault;
}

export interface Question {
  /** Its texts: `faults.questions.<id>`. */
  readonly id: QuestionId;
  readonly origin: FaultOrigin;
  readonly sequence: Sequence;
  readonly presets: readonly [Preset, ...Preset[]];
}

const sim = (kind: string, params: object = {}, more: object = {}): NewFault => ({
  side: "sim",
  body: simFaultInputSchema.parse({ kind, params, ...more }),
});
const route = (body: object): NewFault => ({
  side: "route",
  body: faultInputSchema.parse({ path: "/api/**", ...body }),
});

const paid = { from: "buyer", to: "platform", label: "¥" } as const;
const notified = { from: "platform", to: "backend", label: "SUCCESS" } as const;
const taken = { from: "backend", to: "platform", label: "OK" } as const;
const payment = ["buyer", "platform", "backend"] as const;
const asking = ["backend", "platform"] as const;
const calling = ["client", "server"] as const;

const list = [
  {
    id: "duplicate",
    origin: "payment",
    sequence: { actors: payment, steps: [paid, notified, taken, { ...notified, fault: "wrong" }] },
    presets: [
      { name: "twice", fault: sim("notification_duplicate", { copies: 2 }) },
      { name: "fiveAtOnce", fault: sim("notification_duplicate", { copies: 5, concurrent: true }) },
    ],
  },
  {
    id: "lost",
    origin: "payment",
    sequence: { actors: payment, steps: [paid, { ...notified, fault: "lost" }] },
    presets: [{ name: "always", fault: sim("notification_lost") }],
  },
  {
    id: "late",
    origin: "payment",
    sequence: { actors: payment, steps: [paid, { ...notified, fault: "late" }, taken] },
    presets: [
      { name: "tenSeconds", fault: sim("notification_delayed", { by_ms: 10_000 }) },
      { name: "untilQueried", fault: sim("notification_delayed", { until: "queried" }) },
      { name: "untilExpired", fault: sim("notification_delayed", { until: "expired" }) },
    ],
  },
  {
    id: "forged",
    origin: "payment",
    sequence: {
      actors: ["forger", "backend"],
      steps: [{ from: "forger", to: "backend", label: "SUCCESS", fault: "wrong" }],
    },
    presets: [
      { name: "wrongKey", fault: sim("notification_signature", { how: "wrong_key" }) },
      { name: "noSignature", fault: sim("notification_signature", { how: "missing" }) },
      { name: "changedField", fault: sim("notification_signature", { how: "changed_field" }) },
    ],
  },
  {
    id: "unpaid",
    origin: "payment",
    sequence: {
      actors: asking,
      steps: [
        { from: "backend", to: "platform", label: "order" },
        { ...notified, fault: "wrong" },
      ],
    },
    presets: [{ name: "always", fault: sim("forged_success") }],
  },
  {
    id: "amount",
    origin: "payment",
    sequence: { actors: payment, steps: [paid, { ...notified, label: "¥ − 0.01", fault: "wrong" }] },
    presets: [
      { name: "oneFenLess", fault: sim("wrong_amount", { by: -1 }) },
      { name: "alsoInQueries", fault: sim("wrong_amount", { by: -1, where: "both" }) },
    ],
  },
  {
    id: "order",
    origin: "payment",
    sequence: {
      actors: asking,
      steps: [
        { from: "platform", to: "backend", label: "REFUND" },
        { ...notified, fault: "wrong" },
      ],
    },
    presets: [
      { name: "refundFirst", fault: sim("notification_order", { how: "refund_first" }) },
      { name: "afterClose", fault: sim("notification_order", { how: "payment_after_close" }) },
    ],
  },
  {
    id: "answerLost",
    origin: "payment",
    sequence: {
      actors: asking,
      steps: [
        { from: "backend", to: "platform", label: "order" },
        { from: "platform", to: "backend", label: "OK", fault: "lost" },
      ],
    },
    presets: [
      { name: "once", fault: sim("no_answer", { when: "after" }, { times: 1 }) },
      { name: "always", fault: sim("no_answer", { when: "after" }) },
    ],
  },
  {
    id: "platformSlow",
    origin: "payment",
    sequence: {
      actors: asking,
      steps: [
        { from: "backend", to: "platform", label: "query" },
        { from: "platform", to: "backend", label: "OK", fault: "late" },
      ],
    },
    presets: [
      { name: "fiveSeconds", fault: sim("slow_answer", { delay_ms: 5_000 }) },
      { name: "oneMinute", fault: sim("slow_answer", { delay_ms: 60_000 }) },
    ],
  },
  {
    id: "platformDown",
    origin: "payment",
    sequence: {
      actors: asking,
      steps: [
        { from: "backend", to: "platform", label: "order" },
        { from: "platform", to: "backend", label: "502", fault: "wrong" },
      ],
    },
    presets: [
      { name: "always", fault: sim("http_status", { status: 502 }) },
      { name: "halfOfCalls", fault: sim("http_status", { status: 502 }, { probability: 0.5 }) },
    ],
  },
  {
    id: "password",
    origin: "payment",
    sequence: {
      actors: payment,
      steps: [
        { from: "backend", to: "platform", label: "code" },
        { from: "platform", to: "backend", label: "USERPAYING", fault: "wrong" },
      ],
    },
    presets: [
      { name: "never", fault: sim("user_paying", { outcome: "never" }) },
      { name: "afterThreeQueries", fault: sim("user_paying", { outcome: "SUCCESS", after_queries: 3 }) },
    ],
  },
  {
    id: "closeRace",
    origin: "payment",
    sequence: {
      actors: payment,
      steps: [
        { from: "backend", to: "platform", label: "close" },
        paid,
        { from: "platform", to: "backend", label: "ORDERPAID", fault: "wrong" },
      ],
    },
    presets: [{ name: "always", fault: sim("close_race") }],
  },
  {
    id: "refundOpen",
    origin: "payment",
    sequence: {
      actors: asking,
      steps: [
        { from: "backend", to: "platform", label: "refund" },
        { from: "platform", to: "backend", label: "PROCESSING", fault: "late" },
      ],
    },
    presets: [
      { name: "neverEnds", fault: sim("refund_outcome", { status: "PROCESSING" }) },
      { name: "fails", fault: sim("refund_outcome", { status: "ABNORMAL" }) },
    ],
  },
  {
    id: "loginSlow",
    origin: "identity",
    sequence: {
      actors: ["client", "server", "platform"],
      steps: [
        { from: "client", to: "server", label: "code" },
        { from: "server", to: "platform", label: "code" },
        { from: "platform", to: "server", label: "openid", fault: "late" },
      ],
    },
    presets: [
      { name: "fiveSeconds", fault: sim("identity_slow", { delay_ms: 5_000 }) },
      { name: "oneMinute", fault: sim("identity_slow", { delay_ms: 60_000 }) },
    ],
  },
  {
    id: "loginBusy",
    origin: "identity",
    sequence: {
      actors: ["client", "server", "platform"],
      steps: [
        { from: "client", to: "server", label: "code" },
        { from: "server", to: "platform", label: "code" },
        { from: "platform", to: "server", label: "-1", fault: "wrong" },
      ],
    },
    presets: [
      { name: "systemBusy", fault: sim("identity_errcode", { errcode: -1 }) },
      { name: "tooManyCalls", fault: sim("identity_errcode", { errcode: 45011 }) },
      { name: "invalidCode", fault: sim("identity_errcode", { errcode: 40029 }) },
    ],
  },
  {
    id: "serverDown",
    origin: "route",
    sequence: {
      actors: calling,
      steps: [
        { from: "client", to: "server", label: "GET" },
        { from: "server", to: "client", label: "503", fault: "wrong" },
      ],
    },
    presets: [
      { name: "once", fault: route({ status: 503, times: 1 }) },
      { name: "always", fault: route({ status: 503 }) },
      { name: "oneInFive", fault: route({ status: 503, probability: 0.2 }) },
    ],
  },
  {
    id: "serverSlow",
    origin: "route",
    sequence: {
      actors: calling,
      steps: [
        { from: "client", to: "server", label: "GET" },
        { from: "server", to: "client", label: "200", fault: "late" },
      ],
    },
    presets: [
      { name: "threeSeconds", fault: route({ delay_ms: 3_000 }) },
      { name: "oneMinute", fault: route({ delay_ms: 60_000 }) },
    ],
  },
  {
    id: "cut",
    origin: "route",
    sequence: {
      actors: calling,
      steps: [
        { from: "client", to: "server", label: "POST" },
        { from: "server", to: "client", label: "", fault: "lost" },
      ],
    },
    presets: [
      { name: "once", fault: route({ abort: true, times: 1 }) },
      { name: "always", fault: route({ abort: true }) },
      { name: "oneInFive", fault: route({ abort: true, probability: 0.2 }) },
    ],
  },
  {
    id: "sessionEnds",
    origin: "route",
    sequence: {
      actors: calling,
      steps: [
        { from: "client", to: "server", label: "GET" },
        { from: "server", to: "client", label: "401", fault: "wrong" },
        { from: "client", to: "server", label: "login" },
      ],
    },
    presets: [{ name: "once", fault: route({ status: 401, times: 1 }) }],
  },
] as const satisfies readonly {
  id: string;
  presets: readonly { name: string; fault: NewFault }[];
  [more: string]: unknown;
}[];

type QuestionId = (typeof list)[number]["id"];
type PresetName = (typeof list)[number]["presets"][number]["name"];

export const questions: readonly Question[] = list;

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Whether a fault is what a question asks: of its kind, or what its presets do to a route. */
export const isAskedBy = ({ presets }: Question, { input }: FaultRow): boolean =>
  presets.some(({ fault }) => {
    if (fault.side === "sim") return input.side === "sim" && input.body.kind === fault.body.kind;
    if (input.side === "sim") return false;
    const { status, abort, delay_ms } = fault.body;
    return same([status, abort, delay_ms], [input.body.status, input.body.abort, input.body.delay_ms]);
  });

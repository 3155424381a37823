/** Faults that a payment may meet, and the calls of its backend. */
import { sim, type QuestionParts } from "../preset.ts";
import { faultyAnswer } from "./sequence.ts";

const paid = { from: "buyer", to: "platform", label: "¥" } as const;
const notified = { from: "platform", to: "backend", label: "SUCCESS" } as const;
const taken = { from: "backend", to: "platform", label: "OK" } as const;
const payment = ["buyer", "platform", "backend"] as const;
const asking = ["backend", "platform"] as const;

export const paymentQuestions = [
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
    id: "keySwitched",
    origin: "payment",
    sequence: { actors: payment, steps: [paid, { ...notified, label: "PUB_KEY_ID_…", fault: "wrong" }] },
    presets: [
      { name: "always", fault: sim("key_switched") },
      { name: "backToCertificate", fault: sim("key_switched", { to: "certificate" }) },
      { name: "halfOfNotifications", fault: sim("key_switched", { where: "notification" }, { probability: 0.5 }) },
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
    sequence: faultyAnswer(asking, "order", { label: "OK", fault: "lost" }),
    presets: [
      { name: "once", fault: sim("no_answer", { when: "after" }, { times: 1 }) },
      { name: "always", fault: sim("no_answer", { when: "after" }) },
    ],
  },
  {
    id: "platformSlow",
    origin: "payment",
    sequence: faultyAnswer(asking, "query", { label: "OK", fault: "late" }),
    presets: [
      { name: "fiveSeconds", fault: sim("slow_answer", { delay_ms: 5_000 }) },
      { name: "oneMinute", fault: sim("slow_answer", { delay_ms: 60_000 }) },
    ],
  },
  {
    id: "platformDown",
    origin: "payment",
    sequence: faultyAnswer(asking, "order", { label: "502", fault: "wrong" }),
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
    sequence: faultyAnswer(asking, "refund", { label: "PROCESSING", fault: "late" }),
    presets: [
      { name: "neverEnds", fault: sim("refund_outcome", { status: "PROCESSING" }) },
      { name: "fails", fault: sim("refund_outcome", { status: "ABNORMAL" }) },
    ],
  },
] as const satisfies readonly QuestionParts[];

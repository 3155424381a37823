/** Backends that are wrong in one way each: that of Node, with a few lines changed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface WrongBackend {
  /** What it does, after "a backend that". */
  readonly name: string;
  /** The row that tells of the mistake, the first that fails. */
  readonly fails: string;
  /** The rows that fail with it. */
  readonly also?: readonly string[];
  readonly file?: "wechat-pay.mjs";
  /** Each text occurs once. */
  readonly changes: readonly (readonly [from: string, to: string])[];
}

/** Of backends that settle too often: what it finds by asking would race with the notifications. */
const neverAsks = ["setInterval(ask, askEveryMs / 2);\n", ""] as const;

export const wrongBackends: readonly WrongBackend[] = [
  {
    name: "takes another out_refund_no after a time-out",
    fails: "refund-lost-reply",
    also: ["refund-refused-once"],
    changes: [["  if (before) return before;\n", ""]],
  },
  {
    name: "never asks when no notification comes",
    fails: "lost",
    changes: [neverAsks],
  },
  {
    name: "closes an order only on its own side",
    fails: "close-unpaid",
    changes: [['    await call("POST", `${orderPath(order.number)}/close`, { mchid: keys.mch_id });\n', ""]],
  },
  {
    name: "keeps an expired prepay id",
    fails: "prepay-renewed",
    changes: [
      ["placedAt: Date.now() });", "placedAt: Date.now(), code_url });"],
      ["code_url: await placeAtPlatform(order) });", "code_url: order.code_url });"],
    ],
  },
  {
    name: "does not cap the sum of refunds",
    fails: "refund-cap",
    changes: [['  if (returning(order) + amount > order.amount) throw new Refusal(409, "more than the order");\n', ""]],
  },
  {
    name: "believes any signature",
    fails: "forged-wrong-key",
    also: [
      "forged-changed-field",
      "forged-missing",
      "forged-other-type",
      "forged-probe",
      "forged-serial",
      "forged-past",
      "forged-future",
      "query-forged",
    ],
    file: "wechat-pay.mjs",
    changes: [["function isGenuine(header, body) {\n", "function isGenuine(header, body) {\n  return true;\n"]],
  },
  {
    name: "ignores the amount",
    fails: "amount-more",
    also: ["amount-less", "amount-query", "amount-both", "amount-currency"],
    changes: [
      ['  if (amount?.total === order.amount && amount.currency === "CNY") return;\n', "  if (amount) return;\n"],
    ],
  },
  {
    name: "ignores merchant and app",
    fails: "foreign-merchant",
    also: ["foreign-app"],
    changes: [["mchid !== keys.mch_id || appid !== keys.app_id || out_trade_no", "out_trade_no"]],
  },
  {
    name: "settles each copy of a notification",
    fails: "duplicate-serial",
    also: ["duplicate-concurrent", "lost", "close-paid"],
    changes: [
      neverAsks,
      ['  if (order.status === "PAID") return found.trade_state;\n', ""],
      ['  if (order.status !== "PAID") {\n', "  if (order) {\n"],
    ],
  },
  {
    name: "settles copies that come at once twice",
    fails: "duplicate-concurrent",
    also: ["lost"],
    changes: [
      neverAsks,
      ['  if (order.status === "PAID") return', '  if (order.status === "PAID" && transaction === undefined) return'],
    ],
  },
  {
    name: "knows only the platform's certificate while the key is switched",
    fails: "key-public",
    file: "wechat-pay.mjs",
    changes: [["  [keys.platform_public_key_id, keys.platform_public_key],\n", ""]],
  },
  {
    name: "compares the yuan of a bill with its fen",
    fails: "bill",
    file: "wechat-pay.mjs",
    changes: [["Math.round(Number(yuan) * 100)", "Number(yuan)"]],
  },
  {
    name: "shows a payment as failed after a time-out",
    fails: "timeout-not-failed",
    changes: [
      [
        '  const found = await call("GET", `${orderPath(order.number)}?mchid=${keys.mch_id}`);\n',
        '  const found = await call("GET", `${orderPath(order.number)}?mchid=${keys.mch_id}`).catch((error) => {\n' +
          '    if (!error.code) order.status = "FAILED";\n    throw error;\n  });\n',
      ],
    ],
  },
  {
    name: "compares what the buyer paid without coupons",
    fails: "coupon",
    changes: [["amount?.total === order.amount", "amount?.payer_total === order.amount"]],
  },
  {
    name: "counts a refund that is only accepted",
    fails: "refund-processing",
    also: ["refund-failed"],
    changes: [['({ status }) => status === "SUCCESS")', '({ status }) => status !== "REQUESTED")']],
  },
];

/** Makes the mistake in a copy of the right backend. */
export function makeMistake(folder: string, { file, changes }: WrongBackend): void {
  const path = join(folder, file ?? "backend.mjs");
  const wrong = changes.reduce(
    (source, [from, to]) => {
      if (source.split(from).length !== 2) throw new Error(`it does not occur once: ${from}`);
      return source.replace(from, () => to);
    },
    readFileSync(path, "utf8"),
  );
  writeFileSync(path, wrong);
}

/** The columns of a bill of the money that moved in a merchant's account, and their content. */
import { spacedTime } from "../../../payment-wire/provider-time.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";
import type { AccountMove } from "../ledger/ledger.ts";
import { returnedBy } from "./booking-amounts.ts";

export const flowColumns =
  "记账时间,微信支付业务单号,资金流水单号,业务名称,业务类型,收支类型,收支金额(元),账户结余(元),资金变更提交申请人,备注,业务凭证号".split(
    ",",
  );
export const flowSummaryColumns = ["资金流水总笔数", "收入笔数", "收入金额", "支出笔数", "支出金额"];

/** A movement of money; positive fen come in. */
export interface Flow {
  readonly move: AccountMove;
  readonly type: string;
  readonly fen: number;
}

/** The names of postings' kinds in bills. */
const names: Readonly<Record<string, string>> = {
  payment: "交易",
  reversal: "退款",
  refund: "退款",
  share: "分账",
  "share return": "分账回退",
  transfer: "商家转账",
  "transfer returned": "商家转账",
};

const nameOf = ({ kind }: AccountMove) => names[kind] ?? kind;

/** Fen that the book moved in the merchant's accounts; what moves no money in or out of them is omitted. */
export const flowsOf = (moves: readonly AccountMove[]): Flow[] =>
  moves.flatMap((move) =>
    move.moved.map((fen, index): Flow => {
      const isFee = move.kind === "payment" && index > 0;
      return { move, type: isFee ? "扣除交易手续费" : nameOf(move), fen };
    }),
  );

interface FlowLine {
  readonly flow: Flow;
  /** The merchant whose bill it is. */
  readonly mchId: string;
  /** Fen in the account after it. */
  readonly balance: number;
  /** The number of the movement in the bill. */
  readonly at: number;
  /** The merchants' own numbers by the platform's. */
  readonly numbers: ReadonlyMap<string, string>;
}

export function flowRow({ flow: { move, type, fen }, mchId, balance, at, numbers }: FlowLine): string[] {
  const { kind, subject, order, refund } = move;
  return [
    spacedTime(move.at),
    subject,
    `${order?.transactionId ?? subject}${String(at)}`,
    nameOf(move),
    type,
    fen >= 0 ? "收入" : "支出",
    yuanText(Math.abs(fen)),
    yuanText(balance),
    kind === "payment" || kind === "reversal" ? "system" : `${order?.mchId ?? mchId}API`,
    noteOf(move),
    numbers.get(subject) ?? refund?.outRefundNo ?? order?.outTradeNo ?? "",
  ];
}

function noteOf({ kind, at, order, refund }: AccountMove): string {
  if (!order) return "";
  if (kind === "payment") return order.description;
  if (kind !== "refund" && kind !== "reversal") return "";
  return `退款总金额${yuanText(returnedBy({ kind, at, order, refund }).cash)}元`;
}

export function flowSummary(flows: readonly Flow[]): string[] {
  const [incoming, outgoing] = [flows.filter(({ fen }) => fen >= 0), flows.filter(({ fen }) => fen < 0)];
  const sum = (some: readonly Flow[]) => yuanText(Math.abs(some.reduce((total, { fen }) => total + fen, 0)));
  return [flows.length, incoming.length, sum(incoming), outgoing.length, sum(outgoing)].map(String);
}

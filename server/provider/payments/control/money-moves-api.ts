import { listSimMoneyMoves } from "../../../contract/provider/sim-money-moves.ts";
import { route, type Route } from "../../../http/route.ts";
import type { FindOrder } from "../ledger/find-order.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { moneyMoveView } from "./views.ts";

interface Deps {
  readonly ledger: Pick<Ledger, "moneyMoves">;
  readonly findOrder: FindOrder;
}

/** The control route for the money moves of an order. */
export const moneyMoveRoutes = ({ ledger, findOrder }: Deps): Route[] => [
  route(listSimMoneyMoves, async ({ params: { out_trade_no }, query: { mch_id } }) => ({
    data: (await ledger.moneyMoves(await findOrder(out_trade_no, mch_id))).map(moneyMoveView),
  })),
];

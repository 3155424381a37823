import { z } from "zod";
import { orderSortQuery } from "../../../server/contract/app/order-sort.ts";
import { tradeState, buyerTradeType } from "../../../server/contract/provider/payment-terms.ts";
import { productNames } from "./products/product-names.ts";
import { searchId, searchText } from "../../api/address/search-fields.ts";

const word = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words).optional().catch(undefined);

/** The page's state in its address. A missing member means its first choice. */
export const paymentsSearch = z.object({
  view: word(["table", "receiver", ...productNames]),
  /** Shows the provider's orders, of all merchants, instead of Hearth's own. */
  side: word(["provider"]),
  state: tradeState.optional().catch(undefined),
  q: searchText,
  sort: orderSortQuery.sort.catch(undefined),
  /** Only orders held because of their amount. */
  held: word(["true"]),
  order: searchText,
  /** The open entry of a product. */
  item: searchText,
  /** The merchant of the open order, when several have one of its number. */
  mch: searchText,
  tab: word(["controls", "related", "states", "record"]),
  /** In the open order's history: entries of one side only. */
  half: word(["merchant", "provider"]),
  /** The shown check of a receiver; by default the latest one. */
  check: searchId,
  /** The form for a new order is open, with this trade type. */
  place: buyerTradeType.optional().catch(undefined),
});
export type PaymentsSearch = z.output<typeof paymentsSearch>;

import { z } from "zod";
import { tradeState, tradeType } from "../../../server/contract/provider/payment-terms.ts";
import { searchId, searchText } from "../../api/search-fields.ts";

const word = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words).optional().catch(undefined);

/** What of the page is kept in its address. What is not there is the first of its choices. */
export const paymentsSearch = z.object({
  view: word(["table", "receiver"]),
  /** Whose orders: those that the provider has, of all merchants, in place of Hearth's own. */
  side: word(["provider"]),
  state: tradeState.optional().catch(undefined),
  q: searchText,
  /** Only those that wait for a person because of their amount. */
  held: word(["true"]),
  order: searchText,
  /** The merchant of the open order, where several have one of its number. */
  mch: searchText,
  tab: word(["controls", "states", "record"]),
  /** Of the open order's history: what one side alone has. */
  half: word(["merchant", "provider"]),
  /** The check-up of a receiver that is shown; the latest one unless given. */
  check: searchId,
  /** The form for a new order is open, with this trade type. */
  place: tradeType.optional().catch(undefined),
});
export type PaymentsSearch = z.output<typeof paymentsSearch>;

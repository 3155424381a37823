import { z } from "zod";
import { searchText } from "../../api/address/search-fields.ts";
import { operationClass } from "../../../server/contract/provider/operations/fidelity-schema.ts";

/** The page's state in its address. `operation`: method and path of the open operation. */
export const fidelitySearch = z.object({
  q: searchText,
  class: operationClass.optional().catch(undefined),
  operation: searchText,
});
export type FidelitySearch = z.output<typeof fidelitySearch>;

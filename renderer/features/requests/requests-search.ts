import { z } from "zod";
import { requestFilterSchema, requestPageQuery } from "../../../server/contract/console/traffic/requests.ts";
import { searchId, searchText, searchTime } from "../../api/address/search-fields.ts";

const { service, method, status, uid, sender } = requestFilterSchema.shape;

/** The page's state in its address. */
export const requestsSearch = z.object({
  /** An id, or the form for a new request. */
  request: z
    .string()
    .regex(/^(\d+|new)$/)
    .optional()
    .catch(undefined),
  tab: z.enum(["overview", "request", "response", "compare", "raw"]).optional().catch(undefined),
  service: service.catch(undefined),
  method: method.catch(undefined),
  /** Statuses such as `404`, a class such as `4xx`, `none` for no answer, or `failed` for everything but success. */
  status: z.literal("failed").or(status).catch(undefined),
  path: searchText,
  session: searchId,
  uid: uid.catch(undefined),
  q: searchText,
  /** Who sent it: `client`, or a part of Hearth. */
  sender: sender.catch(undefined),
  flow: searchText,
  trace: searchText,
  since: searchTime,
  until: searchTime,
  sort: requestPageQuery.shape.sort.catch(undefined),
  view: z.enum(["waterfall"]).optional().catch(undefined),
  /** How the waterfall groups; by what the client did unless given. */
  group: z.enum(["user"]).optional().catch(undefined),
});
export type RequestsSearch = z.infer<typeof requestsSearch>;

export const filterNames = [
  "service",
  "method",
  "status",
  "path",
  "session",
  "uid",
  "q",
  "sender",
  "flow",
  "trace",
  "since",
  "until",
] as const;
export type FilterName = (typeof filterNames)[number];

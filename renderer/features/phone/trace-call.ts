/** Finds a call of the phone among the recorded requests, and the server's calls to the provider during it. */
import { listRequests, waitForRequests } from "../../../server/contract/console/traffic/request-endpoints.ts";
import type { Call } from "../../api/http/call.ts";
import type { PhoneCall } from "./phone-state.ts";

/** The recorded data of a buyer's call to the provider, which this page has just made. */
export async function traceBuyersCall(call: Call, path: string, since: number): Promise<Pick<PhoneCall, "recorded">> {
  const query = { service: "provider", method: "POST", path, since: new Date(since).toISOString() } as const;
  const { requests } = await call(waitForRequests, { query: { ...query, timeout_ms: timeoutMs } });
  return requests[0] ? { recorded: requests[0].id } : {};
}

const timeoutMs = 5_000;
/** A call of the phone that the application server has answered. */
export interface AnsweredCall {
  readonly method: string;
  readonly path: string;
  readonly requestId: string;
}

/** Recorded times are truncated to whole ms. */
const slackMs = 2;

/**
 * The recorded data of a call. Empty while recording is off. The calls behind it are found by time only, so another
 * client's calls at the same moment may be included.
 */
export async function traceCall(
  call: Call,
  { method, path, requestId }: AnsweredCall,
): Promise<Pick<PhoneCall, "status" | "recorded" | "behind">> {
  const [pathOnly] = path.split("?");
  const wanted = { service: "app", method, path: pathOnly, q: requestId } as const;
  const { requests } = await call(waitForRequests, { query: { ...wanted, timeout_ms: timeoutMs } });
  const own = requests.find((request) => request.request_id === requestId);
  if (!own) return {};
  const began = Date.parse(own.time);
  const since = new Date(began - slackMs).toISOString();
  const until = new Date(began + own.ms + slackMs).toISOString();
  const others = await call(listRequests, { query: { service: "provider", since, until, limit: 20 } });
  return {
    recorded: own.id,
    // The phone sees only the end of a redirect.
    ...(own.status !== undefined && { status: own.status }),
    behind: others.requests
      .filter((request) => !request.path.startsWith("/sim/"))
      .map(({ id, method, path, status, ms }) => ({ id, method, path, status, ms }))
      .reverse(),
  };
}

/** Finds a call of the phone among the recorded requests, and what the server asked of the provider meanwhile. */
import { listRequests, waitForRequests } from "../../../server/contract/console/request-endpoints.ts";
import type { Call } from "../../api/call.ts";
import type { PhoneCall } from "./phone-state.ts";

const timeoutMs = 5_000;
/** A recorded time is cut to whole ms. */
const slackMs = 2;

/**
 * What the server knows of a call. Nothing while recording is off. The calls behind it are told by their time alone: what
 * another client causes in the same moment may be among them.
 */
export async function traceCall(
  call: Call,
  { method, path, requestId }: { method: string; path: string; requestId: string },
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
    // The phone sees the end of a redirect only.
    ...(own.status !== undefined && { status: own.status }),
    behind: others.requests
      .filter((request) => !request.path.startsWith("/sim/"))
      .map(({ id, method, path, status, ms }) => ({ id, method, path, status, ms }))
      .reverse(),
  };
}

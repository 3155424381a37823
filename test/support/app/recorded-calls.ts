/** What a test asks of the recorded requests of its application server. */
import type { RecordedRequest, RequestPage } from "../../../server/contract/console/traffic/requests.ts";
import { patienceMs } from "../eventually.ts";
import { consoleToken, type TestApp } from "./test-app.ts";

export const authorized = { Authorization: `Bearer ${consoleToken}` };

export function recordedCalls(app: () => Pick<TestApp, "url">) {
  const recorded = (path: string, init: RequestInit = {}) =>
    fetch(`${app().url}/console/api/requests${path}`, { ...init, headers: { ...authorized, ...init.headers } });
  const list = async (query = "") => (await (await recorded(`?${query}`)).json()) as RequestPage;
  const get = async (id: number) => (await (await recorded(`/${String(id)}`)).json()) as RecordedRequest;
  return {
    recorded,
    list,
    get,
    /** The newest one that the filter fits. */
    newest: async (query = ""): Promise<RecordedRequest> => {
      const [first] = (await list(query)).requests;
      if (!first) throw new Error(`nothing is recorded that fits "${query}"`);
      return get(first.id);
    },
    /** Waits until one has come that the filter fits. */
    awaited: async (query: string): Promise<RecordedRequest> => {
      const response = await recorded(`/wait?${query}&timeout_ms=${String(patienceMs)}`);
      if (response.status !== 200) throw new Error(await response.text());
      return get(((await response.json()) as RequestPage).requests[0]?.id ?? 0);
    },
    clear: async () => void (await recorded("", { method: "DELETE" })),
  };
}

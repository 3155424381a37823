/** Connects the upstreams: their APIs, the pool of them, and their models in the library. */
import { join } from "node:path";
import type { UpstreamOptions } from "../../contract/process/upstream-setting.ts";
import type { Asker } from "../../http/outgoing/asker.ts";
import { createOutgoingRequests } from "../../http/outgoing/outgoing-requests.ts";
import { createTargets } from "../../http/outgoing/targets.ts";
import { withLoopbackDirect } from "../../process/direct-loopback.ts";
import type { Log } from "../../process/log.ts";
import { OllamaError } from "../ollama-error.ts";
import { createOllamaApi } from "./ollama-api.ts";
import { createOpenAiApi } from "./openai-api.ts";
import { openNamedUpstreams } from "./named-upstreams.ts";
import { UpstreamClient } from "./upstream-client.ts";
import { createUpstreamModels } from "./upstream-models.ts";
import { UpstreamPool, type PoolTuning } from "./upstream-pool.ts";

export interface UpstreamsOptions {
  /** The setting upstreams. */
  readonly upstreams?: readonly UpstreamOptions[];
  /** Keys by the upstreams' names. */
  readonly keys?: ReadonlyMap<string, string>;
  /** The environment variables with proxies. */
  readonly env?: NodeJS.ProcessEnv;
  readonly tuning?: PoolTuning;
}

/** @param modelsDir the folder that remembers the upstreams of Modelfiles */
export function openUpstreams(
  modelsDir: string,
  { upstreams = [], keys = new Map(), env = {}, tuning }: UpstreamsOptions,
  log: Log,
) {
  const outgoing = createOutgoingRequests({ targets: createTargets([]), agent: { proxyEnv: withLoopbackDirect(env) } });
  const named = openNamedUpstreams(join(modelsDir, "upstreams.json"));
  const pool = new UpstreamPool(
    upstreams,
    (options, onLine) => {
      const client = new UpstreamClient(options, keys.get(options.name), outgoing, onLine);
      return options.kind === "ollama" ? createOllamaApi(client) : createOpenAiApi(client);
    },
    {
      tuning,
      onChange({ name, url }, problem) {
        if (problem === undefined) log.info({ url }, `upstream ${name} answers`);
        else log.warn(problem);
      },
    },
  );
  return {
    pool,
    models: createUpstreamModels(pool, named),
    /** @throws OllamaError 403 for somebody on another machine */
    nameUpstream: async (url: string, asker: Asker): Promise<void> => {
      if (upstreams.some((one) => one.url === url)) return;
      if (asker !== "here")
        throw new OllamaError(
          403,
          `${url} is not an upstream, and only this machine may add one: see the setting upstreams`,
        );
      named.add(url);
    },
    close() {
      pool.close();
      outgoing.destroy();
    },
  };
}

/** Reads the setting upstream_keys: `NAME=key` for each upstream, separated by blanks or commas. */
export const parseKeys = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .split(/[\s,]+/)
      .filter(Boolean)
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const),
  );

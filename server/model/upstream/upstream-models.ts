/** The models of the upstreams, as models of the library. */
import { createHash } from "node:crypto";
import { basename } from "node:path/posix";
import { unavailable } from "../../http/http-error.ts";
import type { Capability } from "../models/library/installed-model.ts";
import type { InstalledModel } from "../models/library/installed-model.ts";
import type { RemoteModels } from "../models/library/library.ts";
import {
  isSameName,
  nameKey,
  nameOfFile,
  parseModelName,
  shortName,
  type ModelName,
} from "../models/library/model-name.ts";
import { noHeader } from "../models/library/no-header.ts";
import type { NamedUpstreams } from "./named-upstreams.ts";
import type { ListedModel } from "./upstream-api.ts";
import type { PooledUpstream, UpstreamPool } from "./upstream-pool.ts";

/** The capabilities of a model whose upstream does not report them: it refuses what it lacks. */
const assumed: readonly Capability[] = ["completion", "embedding", "tools", "thinking"];

/** Until a check that is under way, or comes soon, may have found the models. */
const retryAfterSeconds = 2;

/** The name of a model in lists. An id that is no name, such as a path, is known by its last part. */
function nameOf(prefix: string, id: string): ModelName {
  const asName = parseModelName(prefix + id);
  if (asName !== undefined) return asName;
  const { model } = nameOfFile(basename(id));
  return parseModelName(prefix + model) ?? nameOfFile(prefix + model);
}

/** The models to serve: all, or those that the setting names, even while the upstream does not answer. */
function servedModels({ options, models = [] }: PooledUpstream): ListedModel[] {
  const unknown = (id: string): ListedModel => ({
    id,
    size: 0,
    modifiedAt: undefined,
    digest: undefined,
    details: {},
    capabilities: undefined,
    contextLength: undefined,
  });
  if (options.models.length === 0) return [...models];
  return options.models.map((id) => models.find((model) => isSameName(model.id, id)) ?? unknown(id));
}

function installed(upstream: PooledUpstream, model: ListedModel): InstalledModel {
  const { url, prefix, name } = upstream.options;
  const { details, contextLength } = model;
  return {
    name: nameOf(prefix, model.id),
    path: "",
    size: model.size,
    modifiedAt: model.modifiedAt ?? upstream.since,
    digest: model.digest ?? createHash("sha256").update(`${url} ${model.id}`).digest("hex"),
    header: noHeader,
    parameters: {},
    config: {
      model_format: details.format,
      model_family: details.family,
      model_families: details.families,
      model_type: details.parameter_size,
      file_type: details.quantization_level,
    },
    remote: {
      targets: [{ url, model: model.id }],
      upstreams: [name],
      capabilities: model.capabilities ?? assumed,
      contextLength,
    },
  };
}

/** One model at several upstreams. */
const merged = (first: InstalledModel, second: InstalledModel): InstalledModel => {
  const [a, b] = [first.remote, second.remote];
  if (a === undefined || b === undefined) return first;
  return {
    ...first,
    remote: { ...a, targets: [...a.targets, ...b.targets], upstreams: [...a.upstreams, ...b.upstreams] },
  };
};

/** Refuses the model where an upstream may have it whose models are not known: it has not answered since the start. */
function refuseUnknown(upstreams: readonly PooledUpstream[], name: ModelName): void {
  const text = shortName(name);
  const mayHave = ({ options, models }: PooledUpstream) =>
    models === undefined && options.models.length === 0 && text.toLowerCase().startsWith(options.prefix.toLowerCase());
  const unknown = upstreams.find(mayHave);
  if (unknown === undefined) return;
  const { name: upstream, url } = unknown.options;
  const problem = unknown.problem ?? `upstream ${upstream} (${url}) has not answered yet`;
  throw unavailable("upstream_unknown", `model '${text}' is not installed, and ${problem}`, retryAfterSeconds);
}

export function createUpstreamModels(pool: UpstreamPool, named: NamedUpstreams): RemoteModels {
  const listed = () => pool.upstreams().filter(({ isListed }) => isListed);

  async function all(): Promise<Map<string, InstalledModel>> {
    await pool.checked(listed());
    const byKey = new Map<string, InstalledModel>();
    for (const upstream of listed())
      for (const model of servedModels(upstream)) {
        const one = installed(upstream, model);
        const key = nameKey(one.name);
        const first = byKey.get(key);
        byKey.set(key, first === undefined ? one : merged(first, one));
      }
    return byKey;
  }

  return {
    list: async () => [...(await all()).values()],
    async find(name) {
      const found = (await all()).get(nameKey(name));
      if (found === undefined) refuseUnknown(listed(), name);
      return found;
    },
    async remoteAt(url, model) {
      const isKnown = named.has(url) || listed().some(({ options }) => options.url === url);
      if (!isKnown) return undefined;
      const upstream = pool.at(url);
      await pool.checked([upstream]);
      const found = upstream.models?.find(({ id }) => isSameName(id, model));
      return {
        targets: [{ url, model }],
        upstreams: [upstream.options.name],
        capabilities: found?.capabilities ?? assumed,
        contextLength: found?.contextLength,
      };
    },
  };
}

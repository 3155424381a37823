/** GET /api/upstreams, and what the lists of models say of those that run there. */
import type { Ps, Show } from "../../../contract/model/ollama.ts";
import type { upstreamsSchema } from "../../../contract/model/upstreams.ts";
import type { z } from "zod";
import { sendJson } from "../../../http/conventions/send-json.ts";
import type { InstalledModel, RemoteModel } from "../../models/library/installed-model.ts";
import type { Library } from "../../models/library/library.ts";
import { modelDetails } from "../../models/library/model-details.ts";
import { isSameName, shortName } from "../../models/library/model-name.ts";
import { longestDurationMs } from "../../options/go-duration.ts";
import type { PooledUpstream, UpstreamPool } from "../../upstream/upstream-pool.ts";
import type { Handler } from "../mount-routes.ts";

/** The console asks often, and a client waits for it. */
const patienceMs = 2_000;

export function upstreamsRoute(pool: UpstreamPool): Handler {
  return (_req, res) => {
    const upstreams = pool.upstreams().map(({ options, isListed, models, problem, checkedAt, inFlight }) => ({
      name: options.name,
      url: options.url,
      kind: options.kind,
      state:
        problem !== undefined ? ("down" as const) : checkedAt === undefined ? ("unknown" as const) : ("up" as const),
      ...(problem !== undefined && { reason: problem }),
      ...(checkedAt !== undefined && { checked_at: checkedAt.toISOString() }),
      in_flight: inFlight,
      models: models?.length ?? 0,
      listed: isListed,
    }));
    sendJson(res, 200, { upstreams } satisfies z.input<typeof upstreamsSchema>);
  };
}

/** Ollama's members for a model that runs elsewhere, and the names of its upstreams. */
export function remoteFields({ remote }: InstalledModel) {
  const [target] = remote?.targets ?? [];
  if (remote === undefined || target === undefined) return {};
  return { remote_model: target.model, remote_host: target.url, upstreams: [...remote.upstreams] };
}

/** The entries of `ps` for models in the memory of upstreams; those with OpenAI's API tell only what they work on. */
export async function remoteResidents(library: Library, pool: UpstreamPool): Promise<Ps["models"]> {
  const upstreams = pool.upstreams().filter(({ problem }) => problem === undefined);
  if (upstreams.length === 0) return [];
  const remote = (await library.list()).filter((model) => model.remote !== undefined);
  return (await Promise.all(upstreams.map((upstream) => residentsAt(upstream, remote)))).flat();
}

async function residentsAt(upstream: PooledUpstream, models: readonly InstalledModel[]): Promise<Ps["models"]> {
  const { api, options, inFlight } = upstream;
  const running = await api.running(AbortSignal.timeout(patienceMs)).catch(() => []);
  return models.flatMap((model) => {
    const target = model.remote?.targets.find(({ url }) => url === options.url);
    if (target === undefined) return [];
    const there = running?.find(({ id }) => isSameName(id, target.model));
    if (there === undefined && !(running === undefined && inFlight > 0)) return [];
    const forever = new Date(Date.now() + longestDurationMs);
    return [
      {
        name: shortName(model.name),
        model: shortName(model.name),
        size: there?.size ?? 0,
        digest: model.digest,
        details: modelDetails(model),
        expires_at: (there?.expiresAt ?? forever).toISOString(),
        size_vram: there?.sizeVram ?? 0,
        context_length: there?.contextLength ?? model.remote?.contextLength ?? 0,
        remote_model: target.model,
        remote_host: target.url,
        upstreams: [options.name],
      },
    ];
  });
}

/** The reply to `show` of an upstream with Ollama's API; empty when none answers. */
export async function shownThere(pool: UpstreamPool, { targets }: RemoteModel): Promise<Partial<Show>> {
  for (const { url, model } of targets) {
    const { api, problem } = pool.at(url);
    if (problem !== undefined) continue;
    const details = await api.show(model, AbortSignal.timeout(patienceMs)).catch(() => undefined);
    if (details !== undefined) return details;
  }
  return {};
}

/**
 * A registry of models on a real listener: manifests, blobs by parts, redirects to a second listener as to a CDN, tokens,
 * and faults on command.
 */
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { configType, layerTypes, manifestType } from "../../../server/model/models/library/manifest.ts";
import { listen } from "../process/listen.ts";

export interface RegistryRequest {
  /** Which of the two listeners was asked. */
  readonly at: "registry" | "cdn";
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
}

/** Answers in place of the registry; false lets it go on. */
type Fault = (request: RegistryRequest, res: ServerResponse) => boolean | Promise<boolean>;

export interface RegistryLayer {
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export const digestOf = (bytes: Buffer) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;

/** Bytes that differ everywhere, so that parts in the wrong place show. */
export const manyBytes = (length: number, seed = 1) => {
  const bytes = Buffer.alloc(length);
  let state = seed;
  for (let at = 0; at < length; at++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
};

export const defaultConfig = { model_format: "gguf", model_family: "llama", model_families: ["llama"] };

const textLayer = (mediaType: string, value: string | object): RegistryLayer => ({
  mediaType,
  bytes: Buffer.from(typeof value === "string" ? value : JSON.stringify(value)),
});
export const layers = {
  model: (bytes: Buffer): RegistryLayer => ({ mediaType: layerTypes.model, bytes }),
  template: (text: string) => textLayer(layerTypes.template, text),
  system: (text: string) => textLayer(layerTypes.system, text),
  license: (text: string) => textLayer(layerTypes.license, text),
  params: (value: object) => textLayer(layerTypes.params, value),
  messages: (value: object) => textLayer(layerTypes.messages, value),
};

export async function startRegistry() {
  const blobs = new Map<string, Buffer>();
  const manifests = new Map<string, Buffer>();
  const requests: RegistryRequest[] = [];
  let fault: Fault = () => false;
  let behaviour = { redirect: true, ranges: true, token: undefined as string | undefined };

  function sendBytes(req: IncomingMessage, res: ServerResponse, bytes: Buffer): void {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(req.headers.range ?? "") ?? [];
    if (!behaviour.ranges || from === undefined) {
      res.writeHead(200, { "Content-Length": bytes.length }).end(bytes);
      return;
    }
    const [start, end] = [Number(from), Math.min(Number(to), bytes.length - 1)];
    const part = bytes.subarray(start, end + 1);
    const range = `bytes ${String(start)}-${String(end)}/${String(bytes.length)}`;
    res.writeHead(206, { "Content-Length": part.length, "Content-Range": range }).end(part);
  }

  async function handle(at: RegistryRequest["at"], req: IncomingMessage, res: ServerResponse): Promise<void> {
    const request = { at, url: req.url ?? "", headers: req.headers };
    requests.push(request);
    if (await fault(request, res)) return;
    if (request.url.startsWith("/token?")) {
      res.end(JSON.stringify({ token: behaviour.token }));
      return;
    }
    if (
      at === "registry" &&
      behaviour.token !== undefined &&
      req.headers.authorization !== `Bearer ${behaviour.token}`
    ) {
      const challenge = `Bearer realm="${registry.url}/token",service="models",scope="repository:library/m:pull"`;
      res.writeHead(401, { "WWW-Authenticate": challenge }).end("no");
      return;
    }
    const manifest = manifests.get(request.url);
    const digest = /sha256:[0-9a-f]{64}$/.exec(request.url)?.[0] ?? "";
    const blob = blobs.get(digest);
    if (manifest !== undefined) res.writeHead(200, { "Content-Type": manifestType }).end(manifest);
    else if (blob === undefined) res.writeHead(404).end("not here");
    else if (at === "registry" && behaviour.redirect)
      res.writeHead(307, { Location: `${cdn.url}/storage/${digest}` }).end();
    else sendBytes(req, res, blob);
  }

  const registry = await listen((req, res) => void handle("registry", req, res));
  const cdn = await listen((req, res) => void handle("cdn", req, res));
  const host = `127.0.0.1:${String(registry.port)}`;

  return {
    url: registry.url,
    host,
    requests,
    blobs,
    manifests,
    /** Takes part in every request from now on. */
    misbehave: (next: Fault) => (fault = next),
    behave: (next: Partial<typeof behaviour>) => (behaviour = { ...behaviour, ...next }),
    /** Requests for bytes of the blob, the first one that only looks for its place not among them. */
    partRequests: (digest: string) =>
      requests.filter(({ url, headers }) => url.endsWith(digest) && headers.range !== "bytes=0-0"),
    /** Publishes a model; gives its name for a pull and the digests of its layers. `change` may make the manifest lie. */
    publish(
      name: string,
      content: readonly RegistryLayer[],
      {
        config = defaultConfig,
        change = (manifest: object) => manifest,
      }: {
        config?: object;
        // oxlint-disable-next-line typescript/no-explicit-any -- a manifest to spoil
        change?: (manifest: any) => object;
      } = {},
    ) {
      const all = [...content, { mediaType: configType, bytes: Buffer.from(JSON.stringify(config)) }];
      const described = all.map(({ mediaType, bytes }) => {
        blobs.set(digestOf(bytes), bytes);
        return { mediaType, digest: digestOf(bytes), size: bytes.length };
      });
      const manifest = change({
        schemaVersion: 2,
        mediaType: manifestType,
        config: described.at(-1),
        layers: described.slice(0, -1),
      });
      const [model = "", tag = "latest"] = name.split(":");
      manifests.set(`/v2/library/${model}/manifests/${tag}`, Buffer.from(JSON.stringify(manifest)));
      return { name: `${host}/library/${model}:${tag}`, digests: described.map(({ digest }) => digest) };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([registry[Symbol.asyncDispose](), cdn[Symbol.asyncDispose]()]);
    },
  };
}

/** Registries that want to know who asks. */
import { createPublicKey, verify } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestOf, layers } from "../support/model-registry.ts";
import { startPullScene, type PullScene } from "../support/pull-scene.ts";
import { randomGgufBytes } from "../support/random-gguf.ts";

const gguf = randomGgufBytes({ name: "Pulled" });
const success = { status: "success" };

let scene: PullScene;
let model: { name: string; digests: string[] };
beforeEach(async () => {
  scene = await startPullScene();
  model = scene.registry.publish("m", [layers.model(gguf)]);
});
afterEach(() => scene[Symbol.asyncDispose]());

describe("a registry that wants a token", () => {
  beforeEach(() => void scene.registry.behave({ token: "secret-token" }));

  it("gets one asked for with a signature, and only the registry itself ever sees it", async () => {
    expect(await scene.outcome(model.name)).toEqual(success);
    const asked = scene.registry.requests.find(({ url }) => url.startsWith("/token?"));
    const query = new URL(asked?.url ?? "", scene.registry.url).searchParams;
    expect(Object.fromEntries(query)).toMatchObject({ service: "models", scope: "repository:library/m:pull" });
    const [key = "", signature = ""] = (asked?.headers.authorization ?? "").split(":");
    const x = Buffer.from(key, "base64").subarray(-32).toString("base64url");
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const hash = Buffer.from(digestOf(Buffer.alloc(0)).slice(7)).toString("base64");
    const signed = Buffer.from(`GET,${scene.registry.url}${String(asked?.url)},${hash}`);
    expect(verify(null, signed, publicKey, Buffer.from(signature, "base64"))).toBe(true);
    const atCdn = scene.registry.requests.filter(({ at }) => at === "cdn");
    expect(atCdn.length).toBeGreaterThan(1);
    expect(atCdn.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it("is refused when it sends us to another host for the token", async () => {
    scene.registry.misbehave(({ url }, res) => {
      if (!url.includes("/v2/")) return false;
      res
        .writeHead(401, { "WWW-Authenticate": 'Bearer realm="http://evil.example/token",service="a",scope="b"' })
        .end();
      return true;
    });
    expect((await scene.outcome(model.name)).error).toContain('realm host "evil.example" does not match original host');
  });

  it("lets in whoever has the setting's user and password", async () => {
    const credentials = new Map([[scene.registry.host, "Basic bWU6c2VjcmV0"]]);
    await using known = await startPullScene({ registry: { credentials } });
    scene.registry.behave({ token: undefined });
    scene.registry.misbehave(({ at, headers }, res) => {
      if (at === "cdn" || headers.authorization === "Basic bWU6c2VjcmV0") return false;
      res.writeHead(401).end("who are you?");
      return true;
    });
    expect(await known.outcome(model.name)).toEqual(success);
    expect((await scene.outcome(model.name)).error).toBe("pull model manifest: 401: who are you?");
    expect(scene.registry.requests.some(({ at, headers }) => at === "cdn" && headers.authorization !== undefined)).toBe(
      false,
    );
  });
});

describe("a pull behind a proxy", () => {
  it("goes through the one that the environment names, but not to where NO_PROXY says", async () => {
    const { registry } = scene;
    // The registry stands for a proxy, too: it answers requests with whole addresses.
    const env = { HTTP_PROXY: registry.url, NO_PROXY: "127.0.0.1" };
    await using behind = await startPullScene({ registry: { env } });
    expect(await behind.outcome("models.invalid/library/m")).toEqual(success);
    expect(registry.requests.find(({ url }) => url.includes("/manifests/"))?.headers.host).toBe("models.invalid");
    expect(registry.requests.some(({ at, headers }) => at === "cdn" && headers.host?.startsWith("127.0.0.1"))).toBe(
      true,
    );
  });
});

/** Registries that want to know who asks. */
import { createPublicKey, generateKeyPairSync, verify, type KeyObject } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { digestOf, layers } from "../../support/model/model-registry.ts";
import type { Wire } from "../../support/model/model-service.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { randomGgufBytes } from "../../support/model/random-gguf.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

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

  it("accepts the setting's user and password", async () => {
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

/** A private key as ssh-keygen writes it. */
function openSshKey(key: KeyObject, { cipher = "none", type = "ssh-ed25519" } = {}): string {
  const { x = "", d = "" } = key.export({ format: "jwk" });
  const [open, secret] = [Buffer.from(x, "base64url"), Buffer.from(d, "base64url")];
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const string = (value: string | Buffer) => Buffer.concat([number(Buffer.byteLength(value)), Buffer.from(value)]);
  const inside = [
    number(7),
    number(7),
    string(type),
    string(open),
    string(Buffer.concat([secret, open])),
    string("me"),
  ];
  const bytes = Buffer.concat([
    Buffer.from("openssh-key-v1\0"),
    ...[string(cipher), string("none"), string(""), number(1), string("public"), string(Buffer.concat(inside))],
  ]);
  const lines = bytes.toString("base64").replace(/(.{70})/g, "$1\n");
  return `-----BEGIN OPENSSH PRIVATE KEY-----\n${lines}\n-----END OPENSSH PRIVATE KEY-----\n`;
}

describe("a private repository, whose registry knows its owner's key", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const folder = temporaryFolder();
  afterAll(() => folder[Symbol.dispose]());

  /** Asks for a token, which only a signature by one key gets. Gives the end of the pull. */
  async function pullSigned(ollamaKey: string, known: KeyObject = publicKey): Promise<Wire> {
    await using own = await startPullScene({ registry: { ollamaKey } });
    const { name } = own.registry.publish("m", [layers.model(gguf)]);
    own.registry.behave({ token: "secret-token" });
    own.registry.misbehave(({ url, headers }, res) => {
      if (!url.startsWith("/token?")) return false;
      const hash = Buffer.from(digestOf(Buffer.alloc(0)).slice(7)).toString("base64");
      const signature = (headers.authorization ?? "").split(":")[1] ?? "";
      const signed = Buffer.from(`GET,${own.registry.url}${url},${hash}`);
      if (verify(null, signed, known, Buffer.from(signature, "base64"))) return false;
      res.writeHead(401).end("who are you?");
      return true;
    });
    const end = await own.outcome(name);
    // Neither a key nor a refusal gets better by trying again.
    expect(own.pauses).toEqual([]);
    return end;
  }
  const write = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text);
    return join(folder.path, name);
  };

  it("accepts Ollama's key on this machine, and refuses others", async () => {
    const file = write("id_ed25519", openSshKey(privateKey));
    expect(await pullSigned(file)).toEqual(success);
    const other = generateKeyPairSync("ed25519").publicKey;
    expect((await pullSigned(file, other)).error).toBe("pull model manifest: 401: who are you?");
    expect(await pullSigned(write("pem", String(privateKey.export({ format: "pem", type: "pkcs8" }))))).toEqual(
      success,
    );
  });

  it.each([
    ["behind a passphrase", openSshKey(privateKey, { cipher: "aes256-ctr" }), "it is protected by a passphrase"],
    ["of another type", openSshKey(privateKey, { type: "ssh-rsa" }), "its type is ssh-rsa, not ssh-ed25519"],
    ["that breaks off", openSshKey(privateKey).slice(0, 150), "the key is incomplete"],
  ])("names the file of a key %s", async (_what, text, why) => {
    const file = write("bad", text);
    expect((await pullSigned(file)).error).toBe(`pull model manifest: the key ${file} cannot be used: ${why}`);
  });

  it("on Hugging Face is let in by either name of that, and its storage learns nothing", async () => {
    const { registry } = scene;
    registry.publish("m", [layers.model(gguf)]);
    registry.behave({ token: "secret-token" });
    // The registry stands for a proxy, too: it answers requests with whole addresses.
    await using behind = await startPullScene({
      registry: { env: { HTTP_PROXY: registry.url, NO_PROXY: "127.0.0.1" } },
    });
    registry.misbehave(({ url, headers }, res) => {
      if (headers.host === "hf.co") {
        res.writeHead(307, { Location: new URL(url, "http://huggingface.co").href }).end();
        return true;
      }
      if (headers.host !== "huggingface.co" || headers.authorization === "Bearer secret-token") return false;
      if (url.includes("/token?")) res.end(JSON.stringify({ token: "secret-token" }));
      else
        res
          .writeHead(401, { "WWW-Authenticate": 'Bearer realm="http://huggingface.co/token",service="s",scope="r"' })
          .end();
      return true;
    });
    expect(await behind.outcome("hf.co/library/m")).toEqual(success);
    expect(
      registry.requests.some(({ url, headers }) => url.includes("/token?") && headers.host === "huggingface.co"),
    ).toBe(true);
    const elsewhere = registry.requests.filter(({ headers }) => !/^(hf|huggingface)\.co$/.test(headers.host ?? ""));
    expect(elsewhere.length).toBeGreaterThan(0);
    expect(elsewhere.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it("can be given our own key where there is no other: its public half is beside it", async () => {
    scene.registry.behave({ token: "secret-token" });
    expect(await scene.outcome(model.name)).toEqual(success);
    const asked = scene.registry.requests.find(({ url }) => url.startsWith("/token?"));
    const [key = ""] = (asked?.headers.authorization ?? "").split(":");
    const file = join(scene.service.modelsDir, ".id_ed25519");
    expect(readFileSync(`${file}.pub`, "utf8")).toBe(`ssh-ed25519 ${key} hearth\n`);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
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

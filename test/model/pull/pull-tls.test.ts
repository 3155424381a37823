/** Registries without an encrypted connection that can be trusted: a pull says so at once. */
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeCertificate } from "../../../server/provider/payments/keys/make-certificate.ts";
import { tlsFailure } from "../../../server/model/models/registry/tls-failure.ts";
import { FatalTransferError } from "../../../server/model/models/registry/registry-error.ts";
import { layers, manyBytes } from "../../support/model/model-registry.ts";
import { lines } from "../../support/model/model-service.ts";
import { startPullScene, type PullScene } from "../../support/model/pull-scene.ts";
import { listenFrom } from "../../support/process/listen-from.ts";

const phone = "192.168.77.20";

let scene: PullScene;
beforeAll(async () => {
  scene = await startPullScene({ registry: { allowedTargets: ["127.0.0.1"] } });
});
afterAll(() => scene[Symbol.asyncDispose]());

async function startEncrypted() {
  const { privateKey, publicPart } = await makeCertificate("registry.example", Date.now());
  const server = createServer({ key: privateKey, cert: publicPart }, (_req, res) => res.end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const pull = async (model: string, at = scene.service.url) => {
  const reply = await fetch(`${at}/api/pull`, { method: "POST", body: JSON.stringify({ model }) });
  return (await lines(reply)).at(-1) as { error: string };
};

describe("a pull fails at once, in words", () => {
  it("where the registry speaks plain http, and tells what allows it", async () => {
    const { name } = scene.registry.publish("m", [layers.model(manyBytes(1_000))]);
    expect(await pull(name)).toEqual({
      error: `pull model manifest: ${scene.registry.host} uses plain http; to allow it, use "insecure" (--insecure)`,
    });
    expect(scene.pauses).toEqual([]);
    expect(await scene.outcome(name)).toEqual({ status: "success" });
  });

  it("where a certificate vouches for itself, also for callers on another machine", async () => {
    using encrypted = await startEncrypted();
    await using door = await listenFrom(scene.service.server, phone);
    const model = `${encrypted.host}/library/m`;
    const text = `pull model manifest: the certificate of ${encrypted.host} cannot be trusted: it is self-signed; if`;
    expect(await pull(model)).toEqual({ error: expect.stringContaining(text) });
    expect(await pull(model, door.url)).toEqual({ error: expect.stringContaining(text) });
    expect(scene.pauses).toEqual([]);
  });
});

describe("no later try mends", () => {
  const failureOf = (code: string, message = "?") =>
    tlsFailure("registry.example", Object.assign(new Error(message), { code }));

  it.each([
    ["SELF_SIGNED_CERT_IN_CHAIN", "it is self-signed; "],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "this machine does not trust its authority"],
    ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "this machine does not trust its authority"],
    ["CERT_HAS_EXPIRED", "it has expired"],
    ["CERT_NOT_YET_VALID", "it is not valid yet"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "it is for another host"],
    ["HOSTNAME_MISMATCH", "it is for another host"],
    ["INVALID_PURPOSE", "this machine does not trust its authority"],
  ])("a certificate: %s", (code, reason) => {
    expect(failureOf(code)).toBeInstanceOf(FatalTransferError);
    expect(failureOf(code)?.message).toContain(`the certificate of registry.example cannot be trusted: ${reason}`);
    expect(failureOf(code)?.message).not.toContain(code);
  });

  it.each([
    ["EPROTO", "write EPROTO 40:error:0A000410:SSL routines:ssl3_read_bytes:handshake failure:rec.c:912:\n"],
    [
      "ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE",
      "40:error:0A000410:SSL routines:ssl3_read_bytes:handshake failure:rec.c:1",
    ],
  ])("what the two do not agree on: %s", (code, message) => {
    expect(failureOf(code, message)?.message).toBe(
      "an encrypted connection to registry.example is not possible: handshake failure",
    );
  });

  it("an error without OpenSSL's words, without its code", () => {
    expect(failureOf("ERR_SSL_NO_PROTOCOLS_AVAILABLE")?.message).toBe(
      "an encrypted connection to registry.example is not possible: no common encryption method",
    );
  });

  it.each(["ECONNRESET", "ETIMEDOUT", "ERR_TLS_HANDSHAKE_TIMEOUT", ""])("but it may mend %j", (code) => {
    expect(failureOf(code)).toBeUndefined();
  });
});

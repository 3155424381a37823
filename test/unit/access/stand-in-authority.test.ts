import { X509Certificate } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { certificateFileIn, openAuthority, removeAuthority } from "../../../server/stand-in/authority-files.ts";
import { certifyServer, createAuthority, makeKey } from "../../../server/stand-in/certificates.ts";
import { hasOpenssl, openssl } from "../../support/payments/openssl.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it.runIf(hasOpenssl)(
  "the authority of a stand-in can vouch for the stood-in hosts and local ones, and for no other",
  () => {
    using folder = temporaryFolder();
    const authority = createAuthority(Date.now());
    const certificate = join(folder.path, "authority.pem");
    writeFileSync(certificate, authority.certificate);
    const verify = (host: string) => {
      const file = join(folder.path, "server.pem");
      writeFileSync(file, certifyServer(makeKey(), authority.key, [host], Date.now()));
      return () => openssl(["verify", "-x509_strict", "-CAfile", certificate, file]);
    };
    for (const host of ["api.mch.weixin.qq.com", "api.weixin.qq.com", "localhost", "phone.local", "127.0.0.1", "::1"])
      expect(verify(host), host).not.toThrow();
    for (const host of ["10.0.0.1", "172.31.0.1", "192.168.1.9", "fd00::1"]) expect(verify(host), host).not.toThrow();
    for (const host of ["example.com", "weixin.qq.com", "172.32.0.1", "8.8.8.8", "2606:4700::1111"])
      expect(verify(host), host).toThrow(/permitted subtree violation/);
  },
);

it.runIf(hasOpenssl)("the authority vouches for servers, and for no mail", () => {
  using folder = temporaryFolder();
  const { certificate } = createAuthority(Date.now());
  const file = join(folder.path, "authority.pem");
  writeFileSync(file, certificate);
  const purposes = openssl(["x509", "-in", file, "-noout", "-purpose"]).toString();
  expect(purposes).toMatch(/^SSL server CA : Yes$/m);
  expect(purposes).toMatch(/^S\/MIME signing CA : No$/m);
});

describe("the authority of an installation", () => {
  const yearMs = 365 * 86_400_000;

  it("is made once, and anew when its time is over", () => {
    using folder = temporaryFolder();
    const at = Date.now();
    const { certificate } = openAuthority(folder.path, at);
    expect(openAuthority(folder.path, at + yearMs).certificate).toBe(certificate);
    expect(openAuthority(folder.path, at + 11 * yearMs).certificate).not.toBe(certificate);
  });

  it.runIf(hasOpenssl)("counts only where it may vouch for what Hearth's may", () => {
    const elsewhere = ["-addext", "nameConstraints=critical,permitted;DNS:example.com"];
    const ours = new X509Certificate(createAuthority(Date.now()).certificate).raw;
    const onlyQuoted = ["-addext", `1.2.3.4=DER:${ours.toString("hex")}`];
    for (const more of [[], elsewhere, onlyQuoted]) {
      using folder = temporaryFolder();
      mkdirSync(join(folder.path, "certificate-authority"));
      const key = join(folder.path, "certificate-authority", "authority-key.pem");
      const ofKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key];
      openssl(["req", "-x509", ...ofKey, "-subj", "/CN=x", ...more, "-out", certificateFileIn(folder.path)]);
      expect(() => openAuthority(folder.path, Date.now())).toThrow(/valid for more hosts.*hearth ca remove/);
    }
  });

  it("is not replaced where its files are damaged: the refusal says how that is done", () => {
    using folder = temporaryFolder();
    openAuthority(folder.path, Date.now());
    writeFileSync(certificateFileIn(folder.path), createAuthority(Date.now()).certificate);
    expect(() => openAuthority(folder.path, Date.now())).toThrow(/cannot be used.*hearth ca remove/);
    expect(removeAuthority(folder.path)).toBeDefined();
    openAuthority(folder.path, Date.now());
  });
});

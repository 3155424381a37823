import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { certifyServer, createAuthority, makeKey } from "../../server/stand-in/certificates.ts";
import { hasOpenssl, openssl } from "../support/payments/openssl.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

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

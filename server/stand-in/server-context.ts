import { createSecureContext } from "node:tls";
import { certifyServer, makeKey, type Authority } from "./certificates.ts";

/** A server certificate for hosts and addresses that the authority may certify. @param at Unix ms */
export function serverContext({ key: issuer, certificate }: Authority, hosts: readonly string[], at: number) {
  const key = makeKey();
  const cert = certifyServer(key, issuer, hosts, at) + certificate;
  // Without a session id context, clients with a certificate could not resume their sessions.
  return createSecureContext({ key: key.export({ type: "pkcs8", format: "pem" }), cert, sessionIdContext: "hearth" });
}

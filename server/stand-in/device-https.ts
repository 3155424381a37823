import type { SecureContext } from "node:tls";
import { openAuthority } from "./authority-files.ts";
import { serverContext } from "./server-context.ts";

/** Serves devices of the local network a certificate of the installation's authority for each address that they call. */
export function openDeviceHttps(dataDir: string) {
  const authority = openAuthority(dataDir, Date.now());
  const contexts = new Map<string, SecureContext>();
  return {
    certificate: authority.certificate,
    contextFor(address: string): SecureContext {
      const context = contexts.get(address) ?? serverContext(authority, [address], Date.now());
      contexts.set(address, context);
      return context;
    },
  };
}

/** The certificate authority of an installation: a folder of its data directory, which only its owner may read. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { replaceFileSync } from "../file-system/replace-file.ts";
import { createAuthority, hasOurConstraints, type Authority } from "./certificates.ts";

const folderIn = (dataDir: string) => join(dataDir, "certificate-authority");
const keyFileIn = (dataDir: string) => join(folderIn(dataDir), "authority-key.pem");
/** Devices and certificate stores accept the file by this extension. */
export const certificateFileIn = (dataDir: string): string => join(folderIn(dataDir), "hearth-authority.crt");
/** The folder of the files that a command's variables name. */
export const commandFolderIn = (dataDir: string): string => join(folderIn(dataDir), "command");

/** Undefined if there is none, or it has expired. @throws Error for files that are damaged, or of another authority */
function readAuthority(dataDir: string, at: number): Authority | undefined {
  const [keyFile, certificateFile] = [keyFileIn(dataDir), certificateFileIn(dataDir)];
  if (!existsSync(keyFile) || !existsSync(certificateFile)) return undefined;
  try {
    const certificate = readFileSync(certificateFile, "utf8");
    const key = createPrivateKey(readFileSync(keyFile));
    const parsed = new X509Certificate(certificate);
    if (!parsed.checkPrivateKey(key)) throw new Error("key and certificate do not match");
    if (!hasOurConstraints(parsed)) throw new Error("its certificate is valid for more hosts than Hearth's");
    return at < parsed.validToDate.getTime() ? { key, certificate } : undefined;
  } catch (cause) {
    const { message } = cause as Error;
    throw new Error(
      `the certificate authority in ${folderIn(dataDir)} cannot be used (${message}); remove it with hearth ca remove`,
      { cause },
    );
  }
}

/**
 * The authority, which is created if there is no valid one.
 * @param at Unix ms
 * @throws Error for one that cannot be used
 */
export function openAuthority(dataDir: string, at: number): Authority {
  const found = readAuthority(dataDir, at);
  if (found) return found;
  const made = createAuthority(at);
  mkdirSync(folderIn(dataDir), { recursive: true, mode: 0o700 });
  replaceFileSync(keyFileIn(dataDir), made.key.export({ type: "pkcs8", format: "pem" }));
  replaceFileSync(certificateFileIn(dataDir), made.certificate);
  return made;
}

/** SHA-256, as systems and browsers show it. */
export const fingerprintOf = (certificate: string): string => new X509Certificate(certificate).fingerprint256;

/** Returns the fingerprint of the removed authority, if it is known; undefined if there was none. */
export function removeAuthority(dataDir: string): { readonly fingerprint?: string } | undefined {
  if (!existsSync(folderIn(dataDir))) return undefined;
  const file = certificateFileIn(dataDir);
  const fingerprint = existsSync(file) ? tryFingerprint(readFileSync(file, "utf8")) : undefined;
  rmSync(folderIn(dataDir), { recursive: true, force: true, maxRetries: 5 });
  return fingerprint === undefined ? {} : { fingerprint };
}

function tryFingerprint(certificate: string): string | undefined {
  try {
    return fingerprintOf(certificate);
  } catch {
    return undefined;
  }
}

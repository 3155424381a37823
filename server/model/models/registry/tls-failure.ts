/** Failures to agree on an encrypted connection, in words: OpenSSL's own help nobody, and the next try ends like the first. */
import { certificateFailure, failureCode } from "../../../http/outgoing/network-failure.ts";
import { FatalTransferError } from "./registry-error.ts";

const ofTls = /^(?:EPROTO$|ERR_SSL_)/;

/** OpenSSL's last words of "write EPROTO …:SSL routines:…:handshake failure:…". */
const opensslReason = /SSL routines:[^:]*:([^:]+)/;

/** The failure of the connection to the host; undefined for another one. */
export function tlsFailure(host: string, error: Error): FatalTransferError | undefined {
  const fatal = (text: string) => new FatalTransferError(text, { cause: error });
  if (ofTls.test(failureCode(error))) {
    const reason = opensslReason.exec(error.message)?.[1] ?? "no common encryption method";
    if (/^wrong.version.number$/i.test(reason))
      return fatal(`${host} uses plain http; to allow it, use "insecure" (--insecure)`);
    return fatal(`an encrypted connection to ${host} is not possible: ${reason}`);
  }
  const certificate = certificateFailure(host, error);
  return certificate === undefined ? undefined : fatal(certificate);
}

/** Failures to agree on an encrypted connection, in words: OpenSSL's own help nobody, and the next try ends like the first. */
import type { Asker } from "../../../http/outgoing/asker.ts";
import { reasonFor } from "../../../http/outgoing/reason-for.ts";
import { FatalTransferError } from "./registry-error.ts";

/** Node's names of what is wrong with a certificate, or with those that vouch for it. */
const ofCertificates =
  /CERT|^CRL_|^UNABLE_TO_(?:GET|VERIFY|DECODE|DECRYPT)_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_|_MISMATCH$/;
const ofTls = /^(?:EPROTO$|ERR_SSL_)/;

/** OpenSSL's last words of "write EPROTO …:SSL routines:…:handshake failure:…". */
const opensslReason = /SSL routines:[^:]*:([^:]+)/;

/** The failure for its asker; undefined: it is another one. */
export function tlsFailure(asker: Asker, host: string, error: NodeJS.ErrnoException): FatalTransferError | undefined {
  const { code = "", message } = error;
  const fatal = (text: string) => new FatalTransferError(text, { cause: error });
  if (ofTls.test(code)) {
    const reason = opensslReason.exec(message)?.[1] ?? code;
    if (/^wrong.version.number$/i.test(reason))
      return fatal(`${host} speaks plain http, which "insecure" (--insecure of the commands) allows`);
    return fatal(`there is no encrypted connection to ${host}: ${reason}`);
  }
  if (!ofCertificates.test(code)) return undefined;
  return fatal(`the certificate of ${host} cannot be trusted: ${reasonFor(asker, error)}`);
}

/** Failures of connections, in words that say what to do. They hold nothing that the other end has sent. */

/** No way to the host: an unknown name, or a machine without a network. */
const unreachableCodes = [
  "ENOTFOUND",
  "EAI_AGAIN",
  "EAI_FAIL",
  "ENETUNREACH",
  "ENETDOWN",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "EADDRNOTAVAIL",
];
const brokenCodes = ["ECONNRESET", "ECONNABORTED", "EPIPE", "UND_ERR_SOCKET"];
const slowCodes = ["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT", "UND_ERR_HEADERS_TIMEOUT", "ERR_TLS_HANDSHAKE_TIMEOUT"];

const isHere = (host: string) => /^(?:localhost|127\.[\d.]+|\[::1\])(?::\d+)?$/.test(host);

/** The code of the error; one for several addresses has it inside. */
export function failureCode(error: unknown): string {
  const { code, errors } = error as NodeJS.ErrnoException & { errors?: readonly NodeJS.ErrnoException[] };
  return code ?? errors?.find((one) => one.code !== undefined)?.code ?? "";
}

/** Whether the connection could not even be made. */
export function isUnreachable(error: unknown): boolean {
  const { cause } = error as Error;
  const code = failureCode(error);
  return code === "ECONNREFUSED" || unreachableCodes.includes(code) || (cause instanceof Error && isUnreachable(cause));
}

/** The failure in words; undefined for an error of another kind. `host`: with its port, if it has one. */
export function networkFailure(host: string, error: unknown): string | undefined {
  const code = failureCode(error);
  if (code === "ECONNREFUSED" && isHere(host)) return `${host} refuses the connection: nothing listens there`;
  if (code === "ECONNREFUSED" || unreachableCodes.includes(code)) return `${host} cannot be reached. Are you offline?`;
  if (slowCodes.includes(code)) return `${host} does not respond. Are you offline, or behind a proxy?`;
  if (brokenCodes.includes(code)) return `the connection to ${host} ended early`;
  return undefined;
}

/** Reasons why a certificate cannot be trusted, by OpenSSL's codes; for the others its authority is unknown. */
const certificateReasons: readonly (readonly [code: RegExp, reason: string])[] = [
  [/SELF_SIGNED/, "it is self-signed"],
  [/EXPIRED/, "it has expired; check this machine's clock, too"],
  [/NOT_YET_VALID/, "it is not valid yet; check this machine's clock"],
  [/MISMATCH|ALTNAME/, "it is for another host"],
  [/REVOKED|CRL/, "it may have been revoked"],
];
const unknownAuthority = "this machine does not trust its authority";

/** Node's codes for what is wrong with a certificate, or with those that vouch for it. */
const certificateCodes =
  /CERT|^CRL_|^UNABLE_TO_(?:GET|VERIFY|DECODE|DECRYPT)_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_|_MISMATCH$/;

/** A certificate that cannot be trusted, in words; undefined for an error of another kind. */
export function certificateFailure(host: string, error: unknown): string | undefined {
  const code = failureCode(error);
  if (!certificateCodes.test(code)) return undefined;
  const [, reason] = certificateReasons.find(([pattern]) => pattern.test(code)) ?? [];
  const help = "if your network's proxy created it, add the proxy's authority with NODE_EXTRA_CA_CERTS";
  const hasHelp = reason === undefined || /SELF_SIGNED/.test(code);
  return `the certificate of ${host} cannot be trusted: ${reason ?? unknownAuthority}${hasHelp ? `; ${help}` : ""}`;
}

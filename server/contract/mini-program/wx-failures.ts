/**
 * The platform's words and numbers for a call that fails: `errMsg` is `NAME:fail TEXT`. docs/reference/wx.md says where each
 * comes from.
 */
export interface FailureReason {
  readonly text: string;
  /** Missing: the platform documents no number for it. */
  readonly errno?: number;
}

export const wxFailures = {
  unknown: { text: "unknown network error", errno: 600000 },
  aborted: { text: "abort" },
  timeout: { text: "timeout", errno: 5 },
  notInDomainList: { text: "url not in domain list", errno: 600002 },
  interrupted: { text: "interrupted", errno: 600003 },
  invalidUrl: { text: "invalid url", errno: 600009 },
  authDenied: { text: "auth deny" },
  userDenied: { text: "user deny" },
  cancelled: { text: "cancel" },
  sessionExpired: { text: "session expired" },
  noData: { text: "data not found" },
  noFile: { text: "file not found" },
  socketNotConnected: { text: "WebSocket is not connected" },
  descLength: { text: "desc length does not meet the requirements" },
} as const satisfies Record<string, FailureReason>;

/** The network's errors, by the numbers of the browser engine that the platform's clients use. */
const networkErrors = {
  ERR_FAILED: -2,
  ERR_CONNECTION_RESET: -101,
  ERR_CONNECTION_REFUSED: -102,
  ERR_NAME_NOT_RESOLVED: -105,
  ERR_INTERNET_DISCONNECTED: -106,
  ERR_ADDRESS_UNREACHABLE: -109,
  ERR_CERT_AUTHORITY_INVALID: -202,
  ERR_TOO_MANY_REDIRECTS: -310,
} as const;
export type NetworkError = keyof typeof networkErrors;

export function networkReason(name: NetworkError): FailureReason {
  const code = String(networkErrors[name]);
  return { text: `errcode:${code} cronet_error_code:${code} error_msg:net::${name}`, errno: 600001 };
}

/** A parameter of the wrong type, in the platform's words. */
export const wrongParameter = (name: string, wanted: string, found: unknown): FailureReason => ({
  text: `parameter error: parameter.${name} should be ${wanted} instead of ${typeName(found)};`,
  errno: 1001,
});

function typeName(value: unknown): string {
  if (value === null) return "Null";
  return Array.isArray(value) ? "Array" : `${typeof value}`.replace(/^./, (letter) => letter.toUpperCase());
}

import { randomBytes } from "node:crypto";

/** The provider's documented refusals: errcode and the main part of errmsg. */
const messages = {
  [-1]: "system error",
  40001: "invalid credential, access_token is invalid or not latest",
  40002: "invalid grant_type",
  40003: "invalid openid",
  40013: "invalid appid",
  40014: "invalid access_token",
  40029: "invalid code",
  40037: "invalid template_id",
  40066: "invalid url",
  40097: "invalid args",
  40125: "invalid appsecret",
  40129: "invalid scene",
  40159: "invalid length for path, or the data is not json string",
  40163: "code been used",
  40164: "invalid ip, not in whitelist",
  40165: "invalid weapp pagepath",
  40169: "invalid length for scene, or the data is not json string",
  40212: "invalid query",
  40226: "code blocked",
  41001: "access_token missing",
  41002: "appid missing",
  41004: "appsecret missing",
  41008: "missing code",
  41030: "invalid page",
  42001: "access_token expired",
  43002: "require POST method",
  43101: "user refuse to accept the msg",
  44002: "empty post data",
  45009: "reach max api daily quota limit",
  45011: "api minute-quota reach limit mustslower retry next minute",
  47001: "data format error",
  47003: "argument invalid!",
  48001: "api unauthorized",
  61010: "code is expired",
  85401: "time limit between 1min and 30days",
  87009: "invalid signature",
  87014: "risky content",
} as const;

export type IdentityErrorCode = keyof typeof messages;

/** A refusal in the provider's form: HTTP 200 with errcode and errmsg. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly errcode: IdentityErrorCode;

  /** @param detail follows the code's text */
  constructor(errcode: IdentityErrorCode, detail = "") {
    super(messages[errcode] + detail);
    this.errcode = errcode;
  }

  /** The reply's body. The real provider ends every errmsg with a request id (`withRid`). */
  toBody(withRid: boolean) {
    const rid = [4, 4, 4].map((bytes) => randomBytes(bytes).toString("hex")).join("-");
    return { errcode: this.errcode, errmsg: withRid ? `${this.message}, rid: ${rid}` : this.message };
  }
}

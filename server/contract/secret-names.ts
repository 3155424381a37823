/** Recognises secret headers and fields by their names. */

const always = new Set([
  "authorization",
  "proxyauthorization",
  "cookie",
  "setcookie",
  "xaccesstoken",
  "token",
  "accesstoken",
  "refreshtoken",
  "idtoken",
  "password",
  "passwd",
  "pwd",
  "secret",
  "sessionkey",
  "openid",
  "unionid",
  "encrypteddata",
  "apikey",
  "privatekey",
  "phonenumber",
  "purephonenumber",
  "authcode",
  "xamzsignature",
]);
const endings = /(?:token|secret|password|apikey)$/;
const ofProvider = /(?:key|^jscode|^payer)$/;

/** `access_token`, `accessToken` and `Access-Token` are one name. The other functions take such names. */
export const plainName = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Secret wherever it is sent. */
export const isSecretAnywhere = (plain: string) => always.has(plain) || endings.test(plain);

/** Further secrets of the provider: keys of the session, the app and its payments, login data of a person, and the payer. */
export const isSecretOfProvider = (plain: string) => ofProvider.test(plain);

/** A login or phone code. One that still works identifies the person. */
export const isLoginCode = (plain: string) => plain === "code";

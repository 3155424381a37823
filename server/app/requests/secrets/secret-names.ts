/** Recognises secret headers and fields by their names. */
import type { RequestService } from "../../../contract/console/traffic/requests.ts";

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

/** Further secrets: keys of the session, the app and its payments, login data of a person, and the payer. */
const ofProvider = /(?:key|^jscode|^payer)$/;

/** Endpoints to which a client sends a login or phone code. A code that still works identifies the person. */
const codePaths = {
  app: /^\/api\/(?:sessions|phonenumbers)\/?$/i,
  provider: /^\/(?:wxa\/business\/getuserphonenumber|sim\/users\/[^/]+\/(?:login|phone-number))\/?$/i,
};

/** `access_token`, `accessToken` and `Access-Token` are one name. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

export type IsSecretName = (name: string) => boolean;

/** Recognises the secret names in an exchange. */
export interface SecretNames {
  readonly header: IsSecretName;
  /** Of fields in queries and bodies. */
  readonly field: IsSecretName;
}

export type SecretNamesOf = (service: RequestService, path: string) => SecretNames;

/**
 * Checked names are remembered, because every request asks. Their number is limited, since clients may invent names.
 */
const maxRemembered = 2_000;
const maxRememberedLength = 100;

/**
 * Recognises secret names. `more`: the secret fields of this server's collections. `isAnySecret`: whether every field that
 * is sent to a path may be one.
 */
export function secretNamesOf(
  more: () => readonly string[],
  isAnySecret: (path: string) => boolean = () => false,
): SecretNamesOf {
  const remembered = new Map<string, boolean>();
  let asOf = "";
  let own = new Set<string>();

  const isSecretText = (text: string) => always.has(text) || endings.test(text) || own.has(text);

  function isSecret(name: string): boolean {
    const known = remembered.get(name);
    if (known !== undefined) return known;
    // `password[0]` is a part of the field `password`.
    const secret = [name, ...name.split(/[[\]]/)].map(plain).some(isSecretText);
    if (name.length > maxRememberedLength) return secret;
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(structuredClone(name), secret); // a substring would keep the whole text in memory
    return secret;
  }

  const isCode: IsSecretName = (name) => isSecret(name) || plain(name) === "code";
  const isProvidersSecret: IsSecretName = (name) => isSecret(name) || ofProvider.test(plain(name));
  const isProvidersCode: IsSecretName = (name) => isProvidersSecret(name) || plain(name) === "code";
  const everywhere = (is: IsSecretName): SecretNames => ({ header: is, field: is });
  const kinds = {
    plain: everywhere(isSecret),
    code: everywhere(isCode),
    provider: everywhere(isProvidersSecret),
    providerCode: everywhere(isProvidersCode),
    any: { header: isSecret, field: () => true },
    // Conversations with models are plain text, whatever the names of their members.
    model: { header: isSecret, field: () => false },
  };

  return (service, path) => {
    const names = more();
    const key = names.join();
    if (key !== asOf) {
      asOf = key;
      own = new Set(names.map(plain));
      remembered.clear();
    }
    if (service === "model") return kinds.model;
    if (service === "provider") return codePaths.provider.test(path) ? kinds.providerCode : kinds.provider;
    if (isAnySecret(path)) return kinds.any;
    return codePaths.app.test(path) ? kinds.code : kinds.plain;
  };
}

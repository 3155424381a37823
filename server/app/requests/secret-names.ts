/** Which headers and fields are secrets, by their names. */

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
]);
const endings = /(?:token|secret|password|apikey)$/;

/** Where a client sends the code of a login or of a phone call, which stands for the person as long as it works. */
const codePaths = /^\/api\/(?:sessions|phonenumbers)\/?$/i;

/** `access_token`, `accessToken` and `Access-Token` are one name. */
const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

export type IsSecretName = (name: string) => boolean;

/** Names are few and asked for at every call; a client that makes them up must not fill the memory. */
const maxRemembered = 2_000;

/** Tells the secret names in calls of a path. `more`: the names that this server's collections keep to themselves. */
export function secretNamesOf(more: () => readonly string[]): (path: string) => IsSecretName {
  const remembered = new Map<string, boolean>();
  let asOf = "";
  let own = new Set<string>();

  function isSecret(name: string): boolean {
    const known = remembered.get(name);
    if (known !== undefined) return known;
    const text = plain(name);
    const secret = always.has(text) || endings.test(text) || own.has(text);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(name, secret);
    return secret;
  }

  return (path) => {
    const names = more();
    const key = names.join();
    if (key !== asOf) {
      asOf = key;
      own = new Set(names.map(plain));
      remembered.clear();
    }
    return codePaths.test(path) ? (name) => isSecret(name) || plain(name) === "code" : isSecret;
  };
}

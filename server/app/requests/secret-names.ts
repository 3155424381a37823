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

/** Tells the secret names in calls of a path. `more`: the names that this server's collections keep to themselves. */
export function secretNamesOf(more: () => Iterable<string>): (path: string) => IsSecretName {
  return (path) => {
    const own = new Set([...more()].map(plain));
    const hasCode = codePaths.test(path);
    return (name) => {
      const text = plain(name);
      return always.has(text) || endings.test(text) || own.has(text) || (hasCode && text === "code");
    };
  };
}

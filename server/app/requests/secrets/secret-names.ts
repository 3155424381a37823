/** Recognises secret headers and fields by their names. */
import type { RequestService } from "../../../contract/console/traffic/requests.ts";
import { isLoginCode, isSecretAnywhere, isSecretOfProvider, plainName } from "../../../contract/secret-names.ts";

/** Endpoints to which a client sends a login or phone code. */
const codePaths = {
  app: /^\/api\/(?:sessions|phonenumbers)\/?$/i,
  provider: /^\/(?:wxa\/business\/getuserphonenumber|sim\/users\/[^/]+\/(?:login|phone-number))\/?$/i,
};

export type IsSecretName = (name: string) => boolean;

/** Recognises the secret names in an exchange. */
export interface SecretNames {
  readonly header: IsSecretName;
  /** For fields in queries and bodies. */
  readonly field: IsSecretName;
}

export type SecretNamesOf = (service: RequestService, path: string) => SecretNames;

/** Checked names are remembered, because every request asks. Their number is limited, since clients may invent names. */
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
  const memories: Map<string, boolean>[] = [];
  let asOf = "";
  let own = new Set<string>();

  function remembering(test: IsSecretName): IsSecretName {
    const remembered = new Map<string, boolean>();
    memories.push(remembered);
    return (name) => {
      const known = remembered.get(name);
      if (known !== undefined) return known;
      const secret = test(name);
      if (name.length > maxRememberedLength) return secret;
      if (remembered.size >= maxRemembered) remembered.clear();
      remembered.set(structuredClone(name), secret); // a substring would keep the whole text in memory
      return secret;
    };
  }

  const isSecretText = (text: string) => isSecretAnywhere(text) || own.has(text);
  // `password[0]` is a part of the field `password`.
  const isSecret = remembering((name) => [name, ...name.split(/[[\]]/)].map(plainName).some(isSecretText));
  const isSecretOrCode: IsSecretName = (name) => isSecret(name) || isLoginCode(plainName(name));
  const isProvidersSecret = remembering((name) => isSecret(name) || isSecretOfProvider(plainName(name)));
  const isProvidersCode: IsSecretName = (name) => isProvidersSecret(name) || isLoginCode(plainName(name));
  const everywhere = (is: IsSecretName): SecretNames => ({ header: is, field: is });
  const kinds = {
    plain: everywhere(isSecret),
    code: everywhere(isSecretOrCode),
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
      own = new Set(names.map(plainName));
      for (const remembered of memories) remembered.clear();
    }
    if (service === "model") return kinds.model;
    if (service === "provider") return codePaths.provider.test(path) ? kinds.providerCode : kinds.provider;
    if (isAnySecret(path)) return kinds.any;
    return codePaths.app.test(path) ? kinds.code : kinds.plain;
  };
}

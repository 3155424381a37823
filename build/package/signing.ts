/** Signing and notarization, by what electron-builder finds in the environment. */

interface Signing {
  /** What electron-builder needs to know for macOS. */
  readonly mac: object;
  /** What is not done, in words; undefined when all is. */
  readonly missing?: string;
}

const isGiven = (env: NodeJS.ProcessEnv, ...names: string[]) => names.some((name) => (env[name] ?? "") !== "");

/** Without a certificate, macOS still wants a signature of the program's own content ("ad hoc"). */
export function signing(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Signing {
  const entitlements = "build/package/entitlements.mac.plist";
  const hardened = { hardenedRuntime: true, entitlements, entitlementsInherit: entitlements };
  if (platform === "linux") return { mac: {} };
  if (platform === "win32") {
    const isSigned = isGiven(env, "WIN_CSC_LINK", "CSC_LINK");
    return {
      mac: {},
      ...(!isSigned && { missing: "it is not signed: WIN_CSC_LINK and WIN_CSC_KEY_PASSWORD are not set" }),
    };
  }
  if (!isGiven(env, "CSC_LINK", "CSC_NAME"))
    return {
      mac: { identity: "-", hardenedRuntime: false, notarize: false },
      missing: "it is neither signed nor notarized: CSC_LINK and CSC_KEY_PASSWORD, or CSC_NAME, are not set",
    };
  const notarize = isGiven(env, "APPLE_API_KEY", "APPLE_ID", "APPLE_KEYCHAIN_PROFILE");
  const missing = "it is not notarized: none of APPLE_API_KEY, APPLE_ID and APPLE_KEYCHAIN_PROFILE is set";
  return { mac: { ...hardened, notarize }, ...(!notarize && { missing }) };
}

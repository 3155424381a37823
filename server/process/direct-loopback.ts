/** The environment in which this machine's own names are excluded from the proxy. */
export function withLoopbackDirect(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const direct = [env["no_proxy"] ?? env["NO_PROXY"], "localhost", "127.0.0.1", "[::1]"].filter(Boolean).join(",");
  return { ...env, no_proxy: direct, NO_PROXY: direct };
}

/**
 * Keeps Hearth's requests to itself, and their token, away from the environment's proxy: in this process and those that
 * it starts.
 */
export function keepLoopbackDirect(env: NodeJS.ProcessEnv): void {
  const usesProxy = env["NODE_USE_ENV_PROXY"] === "1" || env["NODE_OPTIONS"]?.includes("--use-env-proxy") === true;
  if (usesProxy) Object.assign(env, withLoopbackDirect(env));
}

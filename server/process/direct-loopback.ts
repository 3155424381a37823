/** The environment with this machine's own names among those that are asked without a proxy. */
export function withLoopbackDirect(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const direct = [env["no_proxy"] ?? env["NO_PROXY"], "localhost", "127.0.0.1", "[::1]"].filter(Boolean).join(",");
  return { ...env, no_proxy: direct, NO_PROXY: direct };
}

/**
 * Keeps what Hearth asks itself, and the token with it, away from the proxy that the environment has Node use: in this
 * process and those that it starts.
 */
export function keepLoopbackDirect(env: NodeJS.ProcessEnv): void {
  const usesProxy = env["NODE_USE_ENV_PROXY"] === "1" || env["NODE_OPTIONS"]?.includes("--use-env-proxy") === true;
  if (usesProxy) Object.assign(env, withLoopbackDirect(env));
}

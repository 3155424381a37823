/** npm runs a script in the package's folder, but people write paths relative to their own. */
export const workingDirectory = (env: NodeJS.ProcessEnv): string =>
  (env["npm_lifecycle_event"] === undefined ? undefined : env["INIT_CWD"]) ?? process.cwd();

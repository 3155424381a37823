/**
 * npm runs a script in its package's folder. People who start Hearth by a script of its own checkout, as `npm start` is, write
 * paths relative to theirs; those in the scripts of a project are relative to where these run.
 */
export const workingDirectory = (env: NodeJS.ProcessEnv): string =>
  (env["npm_package_name"] === "hearthkit" ? env["INIT_CWD"] : undefined) ?? process.cwd();

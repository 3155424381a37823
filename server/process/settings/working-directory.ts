/**
 * The folder that relative paths refer to. npm runs a script in its package's folder: users of the checkout's `npm
 * start` write paths relative to their own folder, but paths in a project's scripts are relative to the package.
 */
export const workingDirectory = (env: NodeJS.ProcessEnv): string =>
  (env["npm_package_name"] === "hearthkit" ? env["INIT_CWD"] : undefined) ?? process.cwd();

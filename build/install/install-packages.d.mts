/** Installs the packages of `folder`'s lockfile, named `what` to the user, unless they are there. */
export function ensurePackages(folder: string, what: string, needsTools?: boolean): Promise<void>;
/** The environment for an npm of our own. */
export function npmEnvironment(): NodeJS.ProcessEnv;
/** Runs `work` while no other process does so under the same name. */
export function alone(name: string, work: () => Promise<void>): Promise<void>;

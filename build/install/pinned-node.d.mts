/** The version of Node that Hearth runs on. */
export const pinnedVersion: string;
/** What is wrong with the Node in the folder `modules`; undefined if nothing. */
export function nodeProblem(modules: string): string | undefined;

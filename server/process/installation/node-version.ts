/**
 * The oldest Node that runs Hearth: since then `node:sqlite` gives no warning. Read by the command before anything else, so
 * this file must run on any Node.
 */
const oldest = { major: 24, minor: 15 };

/** @param version as in `process.versions.node` @returns one line when that Node is too old */
export function nodeVersionProblem(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < oldest.major || (major === oldest.major && minor < oldest.minor);
  return isOld ? `Hearth needs Node ${oldest.major}.${oldest.minor} or newer; this is ${version}.` : undefined;
}

/** The hash of the sources that each part of dist/ was built from, by its name. */
export function builtParts(): Record<string, string>;
export function noteBuilt(hashes: Record<string, string>): void;
/** Before a build overwrites these parts: one that does not end leaves them as no sources are. */
export function forgetBuilt(names: readonly string[]): void;

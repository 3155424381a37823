/** True for the error of a call on a file or folder that is not there. */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** True for the error of a call on a path below a file, and of listing a file as if it were a folder. */
export const isBelowFile = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOTDIR";

/** True for the error of a call on a path that does not exist, whether or not its folder does. */
export const isNowhere = (error: unknown): boolean => isMissing(error) || isBelowFile(error);

/** For calls with `throwIfNoEntry: false`, which throw all the same where a file is in the place of a folder above. */
export function unlessBelowFile<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isBelowFile(error)) return undefined;
    throw error;
  }
}

/** For `catch` of a promise: `value` where the file is not there; other errors are thrown again. */
export const ifMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

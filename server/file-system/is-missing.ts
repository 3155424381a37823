/** True for the error of a call on a file or folder that is not there. */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT";

/** For `catch` of a promise: `value` where the file is not there; other errors are thrown again. */
export const ifMissing =
  <T>(value: T) =>
  (error: unknown): T => {
    if (isMissing(error)) return value;
    throw error;
  };

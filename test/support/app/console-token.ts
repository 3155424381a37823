/** The token of every run that a test starts in its own process. */
export const consoleToken = "console-token-of-the-test";

/** Whether this is CI, where nothing may be skipped. */
export const isCi = process.env["CI"] === "true" || process.env["CI"] === "1";

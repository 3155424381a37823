const codes = new Set(["EPERM", "EBUSY", "EACCES"]);

/** Whether Windows refused a call because somebody has the file open. Elsewhere nothing is refused for that. */
export const isInUse = (error: unknown, platform: NodeJS.Platform = process.platform): boolean =>
  platform === "win32" && codes.has((error as NodeJS.ErrnoException).code ?? "");

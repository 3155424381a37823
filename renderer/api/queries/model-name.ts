/** Whether the installed model has the requested name, which may omit the tag. Case is ignored, as by the service. */
export const isSameModel = (installed: string, asked: string): boolean =>
  [asked, `${asked}:latest`].some((name) => name.toLowerCase() === installed.toLowerCase());

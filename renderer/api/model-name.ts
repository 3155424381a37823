/** Whether the installed model has the requested name, which may omit the tag. */
export const isNamed = (installed: string, asked: string): boolean =>
  installed === asked || installed === `${asked}:latest`;

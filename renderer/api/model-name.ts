/** Whether the installed model is the one that is asked for, by a name which may leave the tag out. */
export const isNamed = (installed: string, asked: string): boolean =>
  installed === asked || installed === `${asked}:latest`;

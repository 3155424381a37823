/** Texts as one word of a shell, for commands that people copy and for scripts that Hearth writes. */

/** In single quotes no character means anything to a POSIX shell but the quote itself. */
export const posixWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** PowerShell reads typographic quotes as quotes, too. */
const powerShellWord = (text: string): string => `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;

/**
 * A path or an address, quoted only where the shell of a platform needs it. On Windows both shells read double quotes; what
 * PowerShell would replace within them is in single quotes, for PowerShell alone. Before a quote programs read two
 * backslashes as one.
 */
export function shellWord(text: string, platform: string): string {
  if (platform !== "win32") return /^[\w./:@-]+$/.test(text) ? text : posixWord(text);
  if (/^[\w./:\\-]+$/.test(text)) return text;
  const whole = text.replace(/(?<!\\)\\+$/, "$&$&");
  return /[$`\u201c-\u201e]/.test(text) ? powerShellWord(whole) : `"${whole}"`;
}

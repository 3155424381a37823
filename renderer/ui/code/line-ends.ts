/** Text fields of browsers and CodeMirror end lines with \n, whatever the text has that is edited in them. */

export const withPlainEnds = (text: string): string => text.replace(/\r\n?/g, "\n");

/** An edited text with the line ends of the one that it was: CRLF where all of its lines end so. */
export function withEndsOf(before: string, edited: string): string {
  const plain = withPlainEnds(edited);
  const isCrlf = before.includes("\r\n") && !/[\r\n]/.test(before.replaceAll("\r\n", ""));
  return isCrlf ? plain.replaceAll("\n", "\r\n") : plain;
}

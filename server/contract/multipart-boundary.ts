/** The boundary that a Content-Type names; undefined when it names none. */
export function boundaryIn(contentType: string): string | undefined {
  const [, written = ""] = /;\s*boundary=("[^"]+"|[^\s;"]+)/i.exec(contentType) ?? [];
  return written.replaceAll('"', "") || undefined;
}

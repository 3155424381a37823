/** The bytes of a text with a byte order mark, as editors and PowerShell write it. */
export function encodedText(text: string, encoding: "utf-8" | "utf-16le" | "utf-16be"): Buffer {
  const marked = `\uFEFF${text}`;
  if (encoding === "utf-8") return Buffer.from(marked);
  const bytes = Buffer.from(marked, "utf16le");
  return encoding === "utf-16le" ? bytes : bytes.swap16();
}

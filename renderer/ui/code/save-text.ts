/** Passes a text to the browser as a file to save. */
export function saveText(fileName: string, mediaType: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = fileName;
  link.click();
  // The browser has read it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}

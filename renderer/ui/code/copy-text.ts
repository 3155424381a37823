/** Copies a text to the clipboard. False: the browser does not allow it. */
export function copyText(text: string): Promise<boolean> {
  // Browsers have it in a secure context only: not over plain HTTP from another machine.
  if ("clipboard" in navigator)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  // Placed next to the pressed button: nothing can be selected outside a modal dialog.
  (focused?.parentElement ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused && "focus" in focused) (focused as HTMLElement).focus();
  return Promise.resolve(isCopied);
}

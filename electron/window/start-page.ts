/** The pages that the window shows before the console is loaded, or if it cannot be. */
import type { ShellText } from "../texts/shell-text.ts";

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);

/** A page without scripts; none of it is loaded over the network. */
function page(text: ShellText, title: string, body: string): string {
  const html = `<!doctype html><html lang="${text("lang")}"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Hearth</title><style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem; box-sizing: border-box; }
progress { width: 100%; accent-color: #c94a14; } h1 { font-size: 1.4rem; } h2 { font-size: 1rem; margin-top: 2rem; } p, pre { max-width: 60rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { font-size: 0.8rem; opacity: 0.8; max-height: 40vh; overflow: auto; }
</style><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

/** Work on the data while no service runs. */
export type DataWork = "back_up" | "restore";

/** A page whose bar `showPercent` moves. */
export const workingPage = (text: ShellText, work: DataWork) =>
  page(text, text(`start.${work}`), `<progress max="100" aria-label="${text(`start.${work}`)}"></progress>`);

/** A script for that page. */
export const showPercent = (percent: number) => `document.querySelector("progress").value = ${String(percent)}`;

export const startingPage = (text: ShellText) => page(text, text("start.starting"), "");

/** `log`: the last lines of the application server. */
export function failedPage(text: ShellText, reason: string, log: string): string {
  const lastLines = log === "" ? "" : `<h2>${text("start.log")}</h2><pre>${escapeHtml(log)}</pre>`;
  return page(text, text("start.failed"), `<p role="alert">${escapeHtml(reason)}</p>${lastLines}`);
}

/** `reason`: Chromium's reason for the page's end. `address`: the page's address. */
export function crashedPage(text: ShellText, reason: string, address: string): string {
  const link = `<p><a href="${escapeHtml(address)}">${text("page.load_now")}</a></p>`;
  const alert = `<p role="alert">${escapeHtml(text("page.returns", { reason }))}</p>`;
  return page(text, text("page.crashed"), alert + link);
}

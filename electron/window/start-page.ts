/** The pages that the window shows before the console is loaded, or if it cannot be. */

import type { ShellLanguage } from "../menus/shell-texts.ts";

const texts = {
  en: {
    starting: "Hearth is starting…",
    "back-up": "Backing up your data before the update…",
    restore: "Putting your data back…",
    failed: "Hearth could not start",
    log: "The last lines of its log",
    crashed: "The page ended several times",
    goesOn: "It comes back in a moment. Everything else of Hearth goes on. Chromium says: {reason}.",
    again: "Load it now",
  },
  zh: {
    starting: "Hearth 正在启动…",
    "back-up": "正在备份数据，然后更新…",
    restore: "正在恢复数据…",
    failed: "Hearth 无法启动",
    log: "日志的最后几行",
    crashed: "页面已多次意外终止",
    goesOn: "页面稍后会自动恢复。Hearth 的其他部分仍在运行。Chromium 给出的原因：{reason}。",
    again: "立即加载",
  },
} as const;

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);

/** A page without scripts; none of it is loaded over the network. */
function page(language: ShellLanguage, title: string, body: string): string {
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Hearth</title><style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem; box-sizing: border-box; }
progress { width: 100%; accent-color: #c94a14; } h1 { font-size: 1.4rem; } h2 { font-size: 1rem; margin-top: 2rem; } p, pre { max-width: 60rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { font-size: 0.8rem; opacity: 0.8; max-height: 40vh; overflow: auto; }
</style><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

/** What is done with the data while no service runs. */
export type DataWork = "back-up" | "restore";

/** A page whose bar `showPercent` moves. */
export const workingPage = (language: ShellLanguage, work: DataWork) =>
  page(language, texts[language][work], `<progress max="100" aria-label="${texts[language][work]}"></progress>`);

/** A script for that page. */
export const showPercent = (percent: number) => `document.querySelector("progress").value = ${String(percent)}`;

export const startingPage = (language: ShellLanguage) => page(language, texts[language].starting, "");

/** `log`: the last lines of the application server. */
export function failedPage(language: ShellLanguage, reason: string, log: string): string {
  const lastLines = log === "" ? "" : `<h2>${texts[language].log}</h2><pre>${escapeHtml(log)}</pre>`;
  return page(language, texts[language].failed, `<p role="alert">${escapeHtml(reason)}</p>${lastLines}`);
}

/** `reason`: Chromium's reason for the page's end. `address`: the page's address. */
export function crashedPage(language: ShellLanguage, reason: string, address: string): string {
  const { crashed, goesOn, again } = texts[language];
  const link = `<p><a href="${escapeHtml(address)}">${again}</a></p>`;
  return page(language, crashed, `<p role="alert">${escapeHtml(goesOn.replace("{reason}", reason))}</p>${link}`);
}

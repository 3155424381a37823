/** The pages that the window shows before the console is loaded, or if it cannot be. */

export type Language = "en" | "zh";

const texts = {
  en: {
    starting: "Hearth is starting…",
    failed: "Hearth could not start",
    log: "The last lines of its log",
    crashed: "The page ended several times",
    goesOn: "Everything else of Hearth goes on. Chromium says: {reason}.",
    again: "Load it again",
  },
  zh: {
    starting: "Hearth 正在启动…",
    failed: "Hearth 无法启动",
    log: "日志的最后几行",
    crashed: "页面已多次意外终止",
    goesOn: "Hearth 的其他部分仍在运行。Chromium 给出的原因：{reason}。",
    again: "重新加载",
  },
} as const;

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? character);

/** A page without scripts; none of it is loaded over the network. */
function page(language: Language, title: string, body: string): string {
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Hearth</title><style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-content: center; padding: 2rem; box-sizing: border-box; }
h1 { font-size: 1.4rem; } h2 { font-size: 1rem; margin-top: 2rem; } p, pre { max-width: 60rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { font-size: 0.8rem; opacity: 0.8; max-height: 40vh; overflow: auto; }
</style><body><main><h1>${escapeHtml(title)}</h1>${body}</main></body></html>`;
  return `data:text/html;charset=utf-8,${encodeURIComponent(html)}`;
}

export const pageLanguage = (locale: string): Language => (locale.toLowerCase().startsWith("zh") ? "zh" : "en");

export const startingPage = (language: Language) => page(language, texts[language].starting, "");

/** `log`: the last lines of the application server. */
export function failedPage(language: Language, reason: string, log: string): string {
  const lastLines = log === "" ? "" : `<h2>${texts[language].log}</h2><pre>${escapeHtml(log)}</pre>`;
  return page(language, texts[language].failed, `<p role="alert">${escapeHtml(reason)}</p>${lastLines}`);
}

/** `reason`: Chromium's reason for the page's end. `address`: the page's address. */
export function crashedPage(language: Language, reason: string, address: string): string {
  const { crashed, goesOn, again } = texts[language];
  const link = `<p><a href="${escapeHtml(address)}">${again}</a></p>`;
  return page(language, crashed, `<p role="alert">${escapeHtml(goesOn.replace("{reason}", reason))}</p>${link}`);
}

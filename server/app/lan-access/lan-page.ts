/** The pages that the browser of a device sees, in its language. */
import { createHash } from "node:crypto";
import { message, type Code, type Text } from "../../contract/messages/message.ts";
import type { Device } from "./device-book.ts";

/** The page of a device that waits, of one that is admitted, or of a refusal. */
export type PageContent =
  | { readonly device: Device }
  | { readonly urls: readonly string[]; readonly certificatePath: string | undefined }
  | { readonly refusal: Text };

/** Polls until the device is admitted. A page that reloads itself would be read out again each time. */
const script = `
setInterval(async () => {
  const { status } = await fetch(location.href, { redirect: "manual" }).catch(() => ({ status: 403 }));
  if (status !== 403) location.reload();
}, 3000);
`;

const style = `
:root{color-scheme:light dark;--text:#1b1f23;--dim:#57606a;--page:#f3f4f6;--card:#fff;--line:#d0d7de}
@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--dim:#9aa4af;--page:#0d1117;--card:#161b22;--line:#30363d}}
body{margin:0;min-height:100vh;box-sizing:border-box;display:grid;place-items:start center;padding:1rem;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{box-sizing:border-box;width:100%;max-width:26rem;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
h1{margin:0 0 .75rem;font-size:1.25rem}
p{margin:.5rem 0}
.dim{color:var(--dim)}
code{font:1.05rem ui-monospace,monospace;overflow-wrap:anywhere}
a{color:inherit}
ul{margin:.5rem 0;padding-left:1.25rem}
`;

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Allows the page's own style and script, and calls to where it came from. */
export const pagePolicy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** @param inLanguage formats a message in the language of the device */
export function lanPage(lang: "en" | "zh-CN", inLanguage: (text: Text) => string, content: PageContent): string {
  const text = (code: PageCode) => escaped(inLanguage(message(code)));
  const [title, body] = bodyOf(content, text, inLanguage);
  const poll = "device" in content ? `<script>${script}</script>` : "";
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main>${poll}</body></html>
`;
}

type PageCode = Extract<Code, `lanPage.${string}`>;

function bodyOf(content: PageContent, text: (code: PageCode) => string, inLanguage: (text: Text) => string) {
  if ("device" in content) {
    const lines = [`<p class="dim">${text("lanPage.known")}</p>`, `<p>${deviceHtml(content.device)}</p>`];
    return [text("lanPage.waiting"), `<p>${text("lanPage.how")}</p>${lines.join("")}`];
  }
  if ("refusal" in content) return [text("lanPage.refused"), `<p>${escaped(inLanguage(content.refusal))}</p>`];
  const urls = content.urls.map((url) => `<li><code>${escaped(url)}</code></li>`).join("");
  const link = `<p><a href="${content.certificatePath ?? ""}">${text("lanPage.certificate")}</a></p>`;
  return [
    text("lanPage.in"),
    `<p>${text("lanPage.addresses")}</p><ul>${urls}</ul>${content.certificatePath === undefined ? "" : link}`,
  ];
}

const deviceHtml = ({ id, address, name }: Device) =>
  [`<code>${id}</code>`, `<code>${escaped(address)}</code>`, escaped(name)].filter((html) => html !== "").join(" · ");

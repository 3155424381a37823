/** The pages that the browser of a device sees, in its language. */
import { createHash } from "node:crypto";
import type { Device } from "./device-book.ts";

/** A device that waits, one that is let in, or what is refused. */
export type PageContent =
  | { readonly device: Device }
  | { readonly urls: readonly string[]; readonly certificatePath?: string }
  | { readonly refusal: string };

const texts = {
  en: {
    lang: "en",
    waiting: "This device is not let in yet",
    how: "On the computer, open the page Devices of Hearth's console and let this device in. This page goes on by itself.",
    known: "There it is shown as",
    in: "This device is let in",
    addresses: "Apps on it reach Hearth at:",
    certificate: "Get the certificate of the authority that vouches for them",
    refused: "This is not offered here",
    refusedText: undefined,
  },
  zh: {
    lang: "zh-CN",
    waiting: "此设备尚未获准访问",
    how: "请在电脑上打开 Hearth 控制台的“设备”页面，允许此设备访问。本页会自动继续。",
    known: "它在那里显示为",
    in: "此设备已获准访问",
    addresses: "设备上的应用可通过以下地址访问 Hearth：",
    certificate: "获取为这些地址担保的证书机构的证书",
    refused: "此处不提供该内容",
    refusedText: "控制台和控制接口只对 Hearth 所在的电脑开放；请使用二维码中的地址访问。",
  },
} as const;

/** Asks again until the device is let in: a page that loads itself anew would begin to be read out each time. */
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

export function lanPage(language: keyof typeof texts, content: PageContent): string {
  const t = texts[language];
  const [title, body] =
    "device" in content
      ? [t.waiting, `<p>${t.how}</p><p class="dim">${t.known}</p><p>${shown(content.device)}</p>`]
      : "urls" in content
        ? [
            t.in,
            `<p>${t.addresses}</p><ul>${content.urls.map((url) => `<li><code>${escaped(url)}</code></li>`).join("")}</ul>` +
              (content.certificatePath === undefined
                ? ""
                : `<p><a href="${content.certificatePath}">${t.certificate}</a></p>`),
          ]
        : [t.refused, `<p>${escaped(t.refusedText ?? content.refusal)}</p>`];
  const again = "device" in content ? `<script>${script}</script>` : "";
  return `<!doctype html>
<html lang="${t.lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title><style>${style}</style></head>
<body><main><h1>${title}</h1>${body}</main>${again}</body></html>
`;
}

const shown = ({ id, address, name }: Device) =>
  [`<code>${id}</code>`, `<code>${escaped(address)}</code>`, escaped(name)].filter((text) => text !== "").join(" · ");

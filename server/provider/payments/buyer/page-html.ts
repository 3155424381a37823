/** The payment pages as HTML without scripts. */
import { createHash } from "node:crypto";
import encodeQR from "qr";
import { buyerOutcome, type BuyerOutcome } from "../../../contract/provider/sim-client.ts";
import { yuanText } from "../../../payment-wire/yuan.ts";
import type { PageMessage, PageTexts } from "./page-texts.ts";

export interface PayPage {
  readonly texts: PageTexts;
  readonly mchId: string;
  readonly description: string;
  readonly outTradeNo: string;
  /** Fen. */
  readonly total: number;
  /** The orders that a combined order pays. */
  readonly parts?: readonly Pick<PayPage, "mchId" | "description" | "outTradeNo" | "total">[] | undefined;
  readonly message: PageMessage;
  /** The form's target; undefined if there is nothing left to do. */
  readonly action?: string | undefined;
  /** Content of the QR code, if there is one. */
  readonly codeUrl?: string | undefined;
  /** Address of the merchant to which the buyer may return. */
  readonly back?: string | undefined;
  /** Seconds until the page reloads. */
  readonly refresh?: number | undefined;
}

const style = `
:root{color-scheme:light dark;--text:#1b1f23;--dim:#57606a;--page:#f3f4f6;--card:#fff;--line:#d0d7de;--go:#06733a;--bad:#a40e26}
@media (prefers-color-scheme:dark){:root{--text:#e6edf3;--dim:#9aa4af;--page:#0d1117;--card:#161b22;--line:#30363d;--go:#0a7d41;--bad:#ff8182}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:start center;padding:1rem;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}
main{width:100%;max-width:26rem;padding:1.5rem;background:var(--card);border:1px solid var(--line);border-radius:1rem}
.note{margin:0;color:var(--dim);font-size:.875rem;text-align:center}
h1{margin:.75rem 0;font-size:2.5rem;line-height:1.1;text-align:center;font-variant-numeric:tabular-nums}
dl{display:grid;grid-template-columns:auto 1fr;gap:.5rem 1rem;margin:1rem 0;padding:1rem 0;border-block:1px solid var(--line)}
dt{color:var(--dim)}
dd{margin:0;text-align:end;overflow-wrap:anywhere}
figure{margin:1rem 0;text-align:center}
figure svg{width:12rem;max-width:100%;height:auto;padding:.5rem;background:#fff;border-radius:.5rem}
[role=status]{margin:1rem 0;font-weight:600;text-align:center}
.bad{color:var(--bad)}
fieldset{display:grid;gap:.75rem;margin:0;padding:0;border:0}
legend{margin-bottom:.75rem;padding:0;color:var(--dim)}
button,.back{display:block;width:100%;min-height:2.75rem;padding:.6rem 1rem;border:1px solid var(--line);border-radius:.6rem;background:transparent;color:inherit;font:inherit;text-align:center;text-decoration:none;cursor:pointer}
button[value=pay],button[value=sign]{border-color:var(--go);background:var(--go);color:#fff;font-weight:600}
:focus-visible{outline:3px solid #2f81f7;outline-offset:2px}
`;

const styleHash = createHash("sha256").update(style).digest("base64");

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
export const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

/** Allows no resources and no scripts; a form may submit here and then redirect to the merchant. */
export function contentPolicy(...backs: readonly (string | undefined)[]): string {
  const targets = ["'self'", ...backs.flatMap((back) => (back === undefined ? [] : [new URL(back).origin]))];
  return `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${targets.join(" ")}; base-uri 'none'; frame-ancestors 'none'`;
}

export function htmlDocument(
  { lang, title }: Pick<PageTexts, "lang" | "title">,
  body: string,
  refresh?: number,
): string {
  const again = refresh === undefined ? "" : `<meta http-equiv="refresh" content="${String(refresh)}">`;
  return `<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">${again}
<title>${title}</title><style>${style}</style></head>
<body><main>${body}</main></body></html>
`;
}

export const noticePage = (texts: PageTexts, notice: "unknownOrder" | "expiredLink"): string =>
  htmlDocument(
    texts,
    `<p class="note">${texts.simulated}</p><h1>${texts.title}</h1><p role="status">${texts[notice]}</p>`,
  );

/** The page of a call that the platform refuses, with the policy that it is sent under. */
export const refusedPage = (texts: PageTexts, code: string, reason: string) => ({
  html: htmlDocument(
    texts,
    `<p class="note">${texts.simulated}</p><h1>${texts.title}</h1><p role="status" class="bad">${escaped(code)}</p><p>${escaped(reason)}</p>`,
  ),
  policy: contentPolicy(),
});

const yuan = (fen: number) => `¥${yuanText(fen)}`;

/** The names and values under the amount; a combined order has a row for each of its parts. */
function rowsOf({ texts, mchId, description, outTradeNo, parts }: PayPage): (readonly [string, string])[] {
  const goods = parts?.map(
    (part) => [texts.goods, `${part.description} (${part.mchId}, ${part.outTradeNo}) ${yuan(part.total)}`] as const,
  );
  return [
    [texts.merchant, mchId],
    ...(goods ?? [[texts.goods, description] as const]),
    [texts.orderNumber, outTradeNo],
  ];
}

export function payPage(page: PayPage): string {
  const { texts, message } = page;
  const bad = ["waiting", "paying", "paid", "refunded"].includes(message) ? "" : ' class="bad"';
  const parts = [
    `<p class="note">${texts.simulated}</p>`,
    `<h1>${yuan(page.total)}</h1>`,
    page.codeUrl === undefined ? "" : qrFigure(page.codeUrl, texts),
    `<dl>${rowsOf(page)
      .map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`)
      .join("")}</dl>`,
    `<p role="status"${bad}>${texts.messages[message]}</p>`,
    page.action === undefined ? "" : form(page.action, texts),
    page.back === undefined ? "" : `<p><a class="back" href="${escaped(page.back)}">${texts.backToMerchant}</a></p>`,
  ];
  return htmlDocument(texts, parts.join("\n"), page.refresh);
}

/** The QR code as a separate image. */
export const qrSvg = (text: string): string => encodeQR(text, "svg", { ecc: "medium", border: 2 });

const qrFigure = (codeUrl: string, { scan }: PageTexts): string =>
  `<figure>${qrSvg(codeUrl).replace("<svg", `<svg role="img" aria-label="${escaped(codeUrl)}"`)}<figcaption class="note">${scan}</figcaption></figure>`;

function form(action: string, { actions, outcomes }: PageTexts): string {
  const button = (outcome: BuyerOutcome) =>
    `<button type="submit" name="outcome" value="${outcome}">${outcomes[outcome]}</button>`;
  const buttons = buyerOutcome.options.map(button).join("");
  return `<form method="post" action="${escaped(action)}"><fieldset><legend>${actions}</legend>${buttons}</fieldset></form>`;
}

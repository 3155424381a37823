/** Translates the description page's own texts, which have no setting for that, whenever the page changes. */
import { swaggerUiZh } from "../../../../server/contract/messages/zh/api/swagger-ui.ts";

/** Texts of the API, and texts that a user types or receives, are not the page's own. */
const foreign =
  "pre, code, textarea, .markdown, .renderedMarkdown, .opblock-tag, .opblock-summary, .info, .parameters-col_name .parameter__name, .json-schema-2020-12__title";
const attributes = ["placeholder", "title", "aria-label"] as const;

/** The same text, with its spaces around; undefined without a translation. */
function translate(text: string): string | undefined {
  const trimmed = text.trim();
  const chinese = swaggerUiZh[trimmed];
  return chinese === undefined ? undefined : text.replace(trimmed, chinese);
}

function translateAll(root: HTMLElement): void {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const chinese = translate(node.nodeValue ?? "");
    if (chinese !== undefined && !node.parentElement?.closest(foreign)) node.nodeValue = chinese;
  }
  for (const name of attributes)
    for (const element of root.querySelectorAll(`[${name}]`)) {
      const chinese = translate(element.getAttribute(name) ?? "");
      if (chinese !== undefined) element.setAttribute(name, chinese);
    }
}

/** The word that the page's style sheet adds. */
const required = '.swagger-ui .parameter__name.required::after { content: "必填"; }';

/** Applies to everything on the page, also what comes later. */
export function speakChinese({ body, adoptedStyleSheets }: Document): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(required);
  adoptedStyleSheets.push(sheet);
  new MutationObserver(() => translateAll(body)).observe(body, {
    childList: true,
    characterData: true,
    subtree: true,
  });
  translateAll(body);
}

import { useEffect, type RefObject } from "react";

/** The class with which the description page's own style sheet turns dark. */
const darkClass = "dark-mode";

/** Adapts the description page to the console's look. */
const inquiry = `
  .swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .btn { font-family: system-ui, sans-serif; }
  .swagger-ui .topbar { display: none; }
  html, body { background: #fff; }
  .swagger-ui .info h1, .swagger-ui .info h2, .swagger-ui .info h3 { font-size: 15px; margin: 16px 0 4px; }
  html .swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container { background: none; box-shadow: none; padding: 0 0 12px; margin: 0; }
  .swagger-ui .wrapper { max-width: 1200px; }
  .swagger-ui .info { margin: 20px 0; }
  .swagger-ui .info .title { font-size: 18px; }
  .swagger-ui .opblock-tag { font-size: 15px; }
  html.dark-mode, html.dark-mode body, html.dark-mode .swagger-ui { background: #161619; }
`;

/** Keeps the description page in the console's theme; the result must be called when the frame has loaded. */
export function useFrameTheme(frame: RefObject<HTMLIFrameElement | null>, theme: "light" | "dark"): () => void {
  useEffect(() => applyTheme(frame.current, theme), [frame, theme]);
  return () => {
    addStyle(frame.current);
    applyTheme(frame.current, theme);
  };
}

function applyTheme(frame: HTMLIFrameElement | null, theme: "light" | "dark"): void {
  frame?.contentDocument?.documentElement.classList.toggle(darkClass, theme === "dark");
}

function addStyle(frame: HTMLIFrameElement | null): void {
  const page = frame?.contentDocument;
  const Sheet = page?.defaultView?.CSSStyleSheet;
  if (!page || !Sheet) return;
  const sheet = new Sheet();
  sheet.replaceSync(inquiry);
  page.adoptedStyleSheets.push(sheet);
}

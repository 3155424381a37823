/** Gives the description page the console's look: its colours in both themes, its type and its measures. */
import surfaces from "../../../ui/surfaces.css?inline";
import look from "./look.css?inline";

/** The class with which the description page's own style sheet turns dark. */
const darkClass = "dark-mode";

/** Adds the console's surfaces and the rules that use them. */
export function addLook(page: Document): void {
  page.adoptedStyleSheets = [surfaces, look].map((rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    return sheet;
  });
}

export function setScheme(page: Document, scheme: "light" | "dark"): void {
  page.documentElement.dataset["mantineColorScheme"] = scheme;
  page.documentElement.classList.toggle(darkClass, scheme === "dark");
}

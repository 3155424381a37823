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

/** Returns what sets the theme. It holds, although the page's own parts take the system's theme when they are made. */
export function schemeSetter({ documentElement: root }: Document): (scheme: "light" | "dark") => void {
  const apply = () => void root.classList.toggle(darkClass, root.dataset["mantineColorScheme"] === "dark");
  new MutationObserver(apply).observe(root, { attributeFilter: ["class"] });
  return (scheme) => {
    root.dataset["mantineColorScheme"] = scheme;
    apply();
  };
}

/** Has a page of its own follow the system's theme. */
export function followSystem(page: Document): void {
  const isDark = matchMedia("(prefers-color-scheme: dark)");
  const setScheme = schemeSetter(page);
  const apply = () => setScheme(isDark.matches ? "dark" : "light");
  isDark.addEventListener("change", apply);
  apply();
}

// Runs before the first paint, so that a chosen theme does not flash the other one and the page's frame has the chosen width. A
// file of its own because the page's content security policy allows no inline script; the keys are those under which Mantine
// and the shell keep the choices.
(({ document, localStorage, matchMedia }) => {
  const page = document.documentElement.dataset;
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  page.mantineColorScheme = dark ? "dark" : "light";
  page.sidebarCollapsed = String(localStorage.getItem("hearth.sidebar-collapsed") === "true");
})(globalThis);

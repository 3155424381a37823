// Runs before the first paint, so that a chosen theme does not flash the other one. A file of its own because the page's
// content security policy allows no inline script; the key is the one under which Mantine keeps the choice.
(({ document, localStorage, matchMedia }) => {
  const chosen = localStorage.getItem("mantine-color-scheme-value");
  const dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.mantineColorScheme = dark ? "dark" : "light";
})(globalThis);

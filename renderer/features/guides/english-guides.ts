/** By path. */
export const englishGuides = import.meta.glob<string>("../../../docs/guides/*.md", {
  eager: true,
  query: "?raw",
  import: "default",
});

/** By path. */
export const chineseGuides = import.meta.glob<string>("../../../docs/guides/zh-CN/*.md", {
  eager: true,
  query: "?raw",
  import: "default",
});

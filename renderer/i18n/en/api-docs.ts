export const apiDocs = {
  title: "API docs",
  frame: "API description",
  openAlone: "Open in a tab",
  description: "OpenAPI (JSON)",
} as const;

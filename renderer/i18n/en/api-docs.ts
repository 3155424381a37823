export const apiDocs = {
  title: "API docs",
  frame: "API description",
  openAlone: "Open in a tab",
  description: "OpenAPI (JSON)",
  user: "User whose session is used",
  signIn: "Sign in",
  signedIn: "What is tried out is sent as {{user}} now.",
} as const;

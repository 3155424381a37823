export const apiDocs = {
  title: "API docs",
  frame: "API description",
  skip: "Skip the API description",
  end: "End of the API description",
  openAlone: "Open in a tab",
  description: "OpenAPI (JSON)",
  user: "User of the session",
  signedIn: "Signed in as",
} as const;

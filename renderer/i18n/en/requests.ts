export const requests = {
  title: "Requests",
} as const;

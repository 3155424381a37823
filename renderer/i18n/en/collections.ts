export const collections = {
  title: "Collections",
} as const;

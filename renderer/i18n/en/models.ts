export const models = {
  title: "Models",
} as const;

export const payments = {
  title: "Payments",
} as const;

export const faults = {
  title: "Faults",
} as const;

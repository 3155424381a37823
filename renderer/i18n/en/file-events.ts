export const fileEvents = {
  title: "File events",
} as const;

/** The built-in app of the simulator's clients. Its test keys are public and work nowhere else. */
export const testApp = {
  app_id: "wx48656172746854a1",
  app_secret: "48656172746820746573742061707020",
} as const;

/** The built-in app that clients of the simulator are. Test keys: published here, worth nothing anywhere else. */
export const testApp = {
  app_id: "wx48656172746854a1",
  app_secret: "48656172746820746573742061707020",
} as const;

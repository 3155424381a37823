/** The section of the settings about browsers. */
export const browserTexts = {
  title: "Browsers",
  about: "These browsers are logged in to the console. A login ends after 90 days.",
  none: "No browser is logged in.",
  unnamed: "Unknown browser",
  current: "This browser",
  since: "Logged in",
  seen: "last seen",
  remove: "Log out",
  removeOf: "Log out {{name}}",
  confirm: {
    title: "Log out this browser?",
    text: "You need a new login code to open the console here again.",
  },
} as const;

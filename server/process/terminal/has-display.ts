/** Whether a window can open: Linux needs a display server, the other systems always have one. */
export const hasDisplay = (env: NodeJS.ProcessEnv = process.env, platform = process.platform) =>
  platform !== "linux" || Boolean(env["DISPLAY"]) || Boolean(env["WAYLAND_DISPLAY"]);

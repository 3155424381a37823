/**
 * Runs in the description page. It gives the page the console's look, and speaks Chinese where the page does; in the console's
 * frame it also gives the page the console's theme, its keys and a session.
 */
import { authorize } from "./authorize.ts";
import { speakChinese } from "./chinese.ts";
import { rove } from "./keys.ts";
import { addLook, followSystem, schemeSetter } from "./look.ts";
import { askForState, type FrameState } from "./messages.ts";

/** The origin of the only page that this one obeys: the console's, or its own where the console has that in development. */
function framerOrigin(): string {
  if (parent === window) return "";
  try {
    return parent.location.origin;
  } catch {
    return document.currentScript?.dataset["console"] ?? "";
  }
}

function obey(framer: string): void {
  const loaded = Promise.withResolvers<void>();
  const setScheme = schemeSetter(document);
  let stop = () => {};
  addEventListener("message", ({ source, origin, data }: MessageEvent<FrameState>) => {
    if (source !== parent || origin !== framer) return;
    const { scheme, token } = data;
    setScheme(scheme);
    void loaded.promise.then(() => {
      stop();
      if (token !== undefined) stop = authorize(token);
    });
  });
  parent.postMessage(askForState, framer);
  // The page makes its own parts in a listener that is added before this one.
  addEventListener("DOMContentLoaded", () => {
    rove(document);
    addEventListener("load", () => loaded.resolve());
  });
}

addEventListener("DOMContentLoaded", () => {
  if (document.documentElement.lang === "zh-CN") speakChinese(document);
});
addLook(document);
const framer = framerOrigin();
if (framer === "") followSystem(document);
else obey(framer);

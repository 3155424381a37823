/** Names a device or browser by its User-Agent, for the person who sees it in a list. */

const systems: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/HarmonyOS|OpenHarmony/, "HarmonyOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "Mac"],
  [/Linux|X11/, "Linux"],
];

const programs: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/MicroMessenger/, "WeChat"],
  [/Edg(?:A|iOS)?\//, "Edge"],
  [/SamsungBrowser/, "Samsung Internet"],
  [/Firefox|FxiOS/, "Firefox"],
  [/Electron\//, "Hearth"], // its own window
  [/Chrome|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
];

const longest = 40;

/** A few words without characters that a terminal or a page would interpret; empty for an empty User-Agent. */
export function deviceName(userAgent: string | undefined): string {
  const agent = (userAgent ?? "").slice(0, 512);
  const known = [systems, programs].flatMap((list) => list.find(([pattern]) => pattern.test(agent))?.[1] ?? []);
  if (known.length > 0) return known.join(", ");
  return agent
    .replace(/[^\x20-\x7e]/g, "")
    .slice(0, longest)
    .trim();
}

/** What a device is, as far as its User-Agent tells: for a person who sees it wait. */

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
  [/Chrome|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
];

const longest = 40;

/** Some words, without what a terminal or a page would take for more than text; empty where nothing is said. */
export function deviceName(userAgent: string | undefined): string {
  const agent = (userAgent ?? "").slice(0, 512);
  const known = [systems, programs].flatMap((list) => list.find(([pattern]) => pattern.test(agent))?.[1] ?? []);
  if (known.length > 0) return known.join(", ");
  return agent
    .replace(/[^\x20-\x7e]/g, "")
    .slice(0, longest)
    .trim();
}

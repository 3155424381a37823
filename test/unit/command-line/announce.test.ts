/** The block at the end of a start, as a program that stores it and as a person sees it. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { announce, type Announcement } from "../../../server/process/terminal/announce.ts";

const about: Announcement = {
  version: "1.2.3",
  addresses: { app: "http://127.0.0.1:3080", provider: "http://127.0.0.1:3081", model: null },
  console: "http://127.0.0.1:3083/console/",
  settings: { app_port: 3080 },
  login: async () => "http://127.0.0.1:3083/console/?code=ABCD-EFGH-JKMN",
  command: { name: "node /h/dist/cli.js", flags: "" },
  linkIn: "/h",
  armedFaults: 2,
};

let output = "";
const isTTY = process.stdout.isTTY;
beforeEach(() => {
  output = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    output += String(text);
    return true;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  process.stdout.isTTY = isTTY;
});

it("has no way in and no colours where it may be stored", async () => {
  process.stdout.isTTY = false;
  await announce(about, { LANG: "en_GB.UTF-8" });
  expect(output).toBe(`
  Hearth 1.2.3 is ready

  Console   http://127.0.0.1:3083/console/  (port 3082 is taken)
  API       http://127.0.0.1:3080
  Platform  http://127.0.0.1:3081
  Models    down
  Faults    2 armed; see the page Faults
  Log in    node /h/dist/cli.js open --print
  Command   cd /h && npm link  (adds the command hearth)
`);
});

it("is in the language of the terminal, in columns that are even in Chinese too", async () => {
  process.stdout.isTTY = false;
  const settings = { app_port: 0 };
  await announce({ ...about, settings, armedFaults: 0, linkIn: undefined }, { LC_ALL: "zh_CN.UTF-8", LANG: "en_GB" });
  expect(output).toBe(`
  Hearth 1.2.3 已就绪

  控制台  http://127.0.0.1:3083/console/
  接口    http://127.0.0.1:3080
  平台    http://127.0.0.1:3081
  模型    未运行
  登录    node /h/dist/cli.js open --print
`);
});

it("has an address to log in with in a terminal, in colour unless NO_COLOR is set", async () => {
  process.stdout.isTTY = true;
  await announce(about, { NO_COLOR: "1" });
  expect(output).toContain("Console   http://127.0.0.1:3083/console/?code=ABCD-EFGH-JKMN  (port 3082 is taken");
  expect(output).not.toContain("\u001b");
  await announce(about, {});
  expect(output).toContain("\u001b[36mhttp://127.0.0.1:3080\u001b[0m");
});

import { describe, expect, it } from "vitest";
import {
  argumentsAgain,
  argumentsOfNextTry,
  behindProgram,
  isCommand,
  namesCommand,
  windowFlags,
  withoutForeignSwitches,
} from "../../../electron/startup/own-arguments.ts";

it("the arguments of a program that Electron runs are those behind it", () => {
  expect(behindProgram(["--no-sandbox", "--lang=en", "dist/electron.js", "--app-port", "0"])).toEqual([
    "--app-port",
    "0",
  ]);
  expect(behindProgram([".", "serve"])).toEqual(["serve"]);
  expect(behindProgram(["dist/electron.js"])).toEqual([]);
});

describe("the arguments of the packaged program", () => {
  it("are those that are not Chromium's", () => {
    const args = ["--no-sandbox", "serve", "--ozone-platform=headless", "--app-port", "0", "--headless", "-psn_0_1"];
    expect(withoutForeignSwitches(args)).toEqual(["serve", "--app-port", "0", "--headless"]);
  });

  it("are not those of the installer that starts a newer version", () => {
    const args = ["--updated", "--force-run", "--data-dir", "/home/ada/shop"];
    expect(windowFlags(withoutForeignSwitches(args))).toEqual(["--data-dir", "/home/ada/shop"]);
  });

  it("are all of those that hearth exec passes to its command", () => {
    const args = ["--no-sandbox", "exec", "--", "chromium", "--no-sandbox", "--disable-gpu"];
    expect(withoutForeignSwitches(args)).toEqual(["exec", "--", "chromium", "--no-sandbox", "--disable-gpu"]);
  });

  it("are the same when it is started again, but for flags of one start", () => {
    const again = ["--no-sandbox", "--data-dir", "/home/ada/shop", "--app-port", "4000"];
    const opened = ["--no-update-backup", "hearth://settings"];
    const args = ["--minimised", "--updated", ...again, ...opened];
    expect(argumentsAgain(args)).toEqual(again);
    expect(argumentsOfNextTry(args, ["--app-port", "0"])).toEqual([...again, ...opened, "--app-port", "0"]);
  });

  it("begin with a command, or open the window: with flags, a file or a link", () => {
    expect(["serve", "exec", "check-receiver", "doctor", "ls"].map(isCommand)).toEqual(Array(5).fill(true));
    const others = [undefined, "start", "--headless", "/home/ada/model.gguf", "model.gguf", "hearth://settings"];
    expect(others.map(isCommand)).toEqual(others.map(() => false));
  });

  it("may name the command after flags, whose values are none", () => {
    const commands = [
      ["--data-dir", "/home/ada/shop", "token", "ada"],
      ["--app-port=4000", "serve"],
      ["--data-dir", "/home/ada/shop", "open", "--print"],
      ["--headless", "toke"],
    ];
    expect(commands.map(namesCommand)).toEqual(commands.map(() => true));
    const others = [[], ["--data-dir", "shop"], ["--headless", "--app-port", "0", "start"], ["/home/ada/gone.gguf"]];
    expect(others.map(namesCommand)).toEqual(others.map(() => false));
  });
});

import { EventEmitter } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createShellText } from "../../../electron/texts/shell-text.ts";
import { closeWindow, hideWindow } from "../../../electron/window/close-window.ts";
import { watchGpu } from "../../../electron/window/recover-gpu.ts";
import { recoverPage } from "../../../electron/window/recover-page.ts";
import { keepPlace, placeOnScreens } from "../../../electron/window/window-place.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the place of the window", () => {
  const laptop = { x: 0, y: 25, width: 1440, height: 875 };
  const beside = { x: 1440, y: 0, width: 1920, height: 1080 };
  const kept = { x: 1500, y: 100, width: 1000, height: 700, maximized: false };

  it("is where it was left, on the screen where it was", () => {
    expect(placeOnScreens(kept, [laptop, beside])).toEqual({ x: 1500, y: 100, width: 1000, height: 700 });
  });

  it("is in the middle of the first screen, in its size, when the screen where it was is gone", () => {
    expect(placeOnScreens(kept, [laptop])).toEqual({ width: 1000, height: 700 });
    expect(placeOnScreens({ ...kept, width: 3000, height: 3000 }, [laptop])).toEqual({ width: 1440, height: 875 });
  });

  it("is not one where its title bar could not be reached", () => {
    for (const place of [{ y: 5 }, { y: 890 }, { x: -950 }, { x: 1400 }])
      expect(placeOnScreens({ ...kept, x: 0, y: 100, ...place }, [laptop])).toEqual({ width: 1000, height: 700 });
    expect(placeOnScreens({ ...kept, x: -800, y: 100 }, [laptop])).toMatchObject({ x: -800, y: 100 });
  });

  it("fits the first screen at the first start", () => {
    expect(placeOnScreens(undefined, [beside])).toEqual({ width: 1280, height: 860 });
    expect(placeOnScreens(undefined, [{ x: 0, y: 0, width: 1024, height: 768 }])).toEqual({ width: 1024, height: 768 });
  });

  function scene(isVisible = true) {
    const places: unknown[] = [];
    const is = { bounds: { x: 1, y: 2, width: 800, height: 600 }, minimized: false };
    const window = Object.assign(new EventEmitter(), {
      isDestroyed: () => false,
      isVisible: () => isVisible,
      isMinimized: () => is.minimized,
      isFullScreen: () => false,
      isMaximized: () => false,
      getNormalBounds: () => is.bounds,
    });
    return { places, is, window, settle: keepPlace(window as never, (place) => places.push(place)) };
  }

  it("is kept at once where the window ends while it comes to rest, and not again where it has", () => {
    const { places, is, window, settle } = scene();
    settle();
    expect(places).toEqual([]);
    window.emit("move");
    settle();
    settle();
    expect(places).toEqual([{ ...is.bounds, maximized: false }]);
    vi.runAllTimers();
    expect(places).toHaveLength(1);
  });

  it("is not that of a window that has never been shown", () => {
    const { places, window } = scene(false);
    window.emit("resize");
    vi.runAllTimers();
    window.emit("close");
    expect(places).toEqual([]);
    window.emit("show");
    window.emit("resize");
    vi.runAllTimers();
    expect(places).toHaveLength(1);
  });

  it("is kept once the window has come to rest, and as it closes, but not while it is minimised", () => {
    const { places, is, window } = scene();
    for (let step = 0; step < 20; step++) window.emit("move");
    expect(places).toEqual([]);
    vi.runAllTimers();
    expect(places).toEqual([{ ...is.bounds, maximized: false }]);
    is.bounds = { ...is.bounds, x: 300 };
    window.emit("close");
    expect(places).toHaveLength(2);
    expect(places[1]).toMatchObject({ x: 300 });
    is.minimized = true;
    window.emit("resize");
    vi.runAllTimers();
    expect(places).toHaveLength(2);
  });
});

interface Scene {
  readonly hasTray: boolean;
  readonly onClose: "ask" | "keep" | "quit";
  readonly response: number;
}

describe("closing the window", () => {
  function scene({ hasTray = true, onClose = "ask", response = 0 }: Partial<Scene> = {}) {
    const done: string[] = [];
    let remembered = onClose;
    const close = closeWindow({
      hasTray: async () => hasTray,
      onClose: () => remembered,
      remember: (choice) => (remembered = choice),
      ask: async ({ message }) => {
        done.push(message);
        return { response };
      },
      hide: () => done.push("hidden"),
      quit: () => done.push("ended"),
      text: createShellText(() => "en"),
    });
    const closeOnce = async () => {
      let isPrevented = false;
      close({ preventDefault: () => (isPrevented = true) });
      await vi.runAllTimersAsync();
      return isPrevented;
    };
    return { done, close: closeOnce };
  }

  it("asks once what it means, and remembers it", async () => {
    const { done, close } = scene({ response: 0 });
    expect(await close()).toBe(true);
    expect(await close()).toBe(true);
    expect(done).toEqual(["Keep Hearth running?", "hidden", "hidden"]);
    const other = scene({ response: 1 });
    expect(await other.close()).toBe(true);
    expect(await other.close()).toBe(false);
    expect(other.done).toEqual(["Keep Hearth running?", "ended", "ended"]);
  });

  it("does nothing when the question is cancelled, and asks again", async () => {
    const { done, close } = scene({ response: 2 });
    expect([await close(), await close()]).toEqual([true, true]);
    expect(done).toEqual(["Keep Hearth running?", "Keep Hearth running?"]);
  });

  it("ends Hearth without a question where there is no tray to open it again, whatever is remembered", async () => {
    const { done, close } = scene({ hasTray: false, onClose: "keep" });
    expect(await close()).toBe(true);
    expect(done).toEqual(["ended"]);
  });
});

describe("hiding the window", () => {
  function hide(platform: NodeJS.Platform, isFullScreen: boolean) {
    const done: string[] = [];
    const window = Object.assign(new EventEmitter(), {
      hide: () => void done.push("hidden"),
      isFullScreen: () => isFullScreen,
      setFullScreen: (on: boolean) => void done.push(on ? "fills the screen" : "leaves the screen"),
    });
    vi.spyOn(process, "platform", "get").mockReturnValue(platform);
    hideWindow(window as never);
    vi.restoreAllMocks();
    return { done, window };
  }

  it("leaves a screen that it fills first on macOS, where that would stay black, and stays hidden once", () => {
    const { done, window } = hide("darwin", true);
    expect(done).toEqual(["leaves the screen"]);
    for (let time = 0; time < 2; time++) window.emit("leave-full-screen");
    expect(done).toEqual(["leaves the screen", "hidden"]);
  });

  it("is done at once elsewhere", () => {
    for (const [platform, isFullScreen] of [
      ["darwin", false],
      ["linux", true],
      ["win32", true],
    ] as const)
      expect(hide(platform, isFullScreen).done).toEqual(["hidden"]);
  });
});

describe("a page whose process ends", () => {
  function scene() {
    const done: string[] = [];
    let url = "http://127.0.0.1:3080/console/chat";
    const contents = Object.assign(new EventEmitter(), {
      isDestroyed: () => false,
      getURL: () => url,
      reload: () => void done.push("reloaded"),
      forcefullyCrashRenderer: () => void done.push("ended"),
    });
    recoverPage(contents as never, {
      text: createShellText(() => "en"),
      ask: async ({ message }) => {
        done.push(String(message));
        return { response: 1 };
      },
      explain(reason) {
        done.push(`explained: ${reason}`);
        url = "data:text/html,explanation";
      },
      showAgain() {
        done.push("shown");
        url = "http://127.0.0.1:3080/console/chat";
        contents.emit("did-navigate", {}, url);
      },
    });
    const crash = async (waitMs = 0) => {
      contents.emit("render-process-gone", {}, { reason: "killed" });
      await vi.advanceTimersByTimeAsync(waitMs);
    };
    return { contents, done, crash };
  }

  it("is back at once three times in a minute, and later by itself, twenty times", async () => {
    const { done, crash } = scene();
    for (let time = 0; time < 20; time++) await crash(40_000);
    expect(done).toEqual(Array(20).fill("reloaded"));
    for (let time = 0; time < 20; time++) await crash(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(done.at(-1)).toBe("shown");
    expect(done.filter((one) => one.startsWith("explained"))).toHaveLength(1);
  });

  it("waits longer each time when it ends again and again, so that it does not keep a core busy", async () => {
    const { done, crash } = scene();
    for (let time = 0; time < 3; time++) await crash(1);
    const waits: number[] = [];
    for (let time = 0; time < 5; time++) {
      const before = done.length;
      await crash(1);
      let waited = 0;
      for (; done.at(-1) !== "shown" || done.length === before; waited += 500) await vi.advanceTimersByTimeAsync(500);
      waits.push(waited);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  });

  it("does not come back a second time when a person has brought it back before", async () => {
    const { contents, done, crash } = scene();
    for (let time = 0; time < 4; time++) await crash(1);
    contents.emit("did-navigate", {}, "http://127.0.0.1:3080/console/chat");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(done).not.toContain("shown");
  });

  it("is ended, and so loaded again, when it hangs and a person says so", async () => {
    const { contents, done } = scene();
    contents.emit("unresponsive");
    await vi.runAllTimersAsync();
    expect(done).toEqual(["The page does not respond.", "ended"]);
  });
});

it("A GPU process that ends more than three times in a minute is reported once, one that does so now and then is not", () => {
  const app = new EventEmitter();
  let reports = 0;
  watchGpu(app as never, () => reports++);
  const end = (type: string, reason = "crashed") => app.emit("child-process-gone", {}, { type, reason });
  for (let time = 0; time < 10; time++) {
    end("GPU");
    vi.advanceTimersByTime(30_000);
  }
  for (let time = 0; time < 10; time++) end("Utility");
  for (let time = 0; time < 10; time++) end("GPU", "clean-exit");
  expect(reports).toBe(0);
  for (let time = 0; time < 20; time++) end("GPU");
  expect(reports).toBe(1);
});

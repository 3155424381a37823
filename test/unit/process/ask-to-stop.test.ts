import { describe, expect, it } from "vitest";
import { askToStop } from "../../../server/process/lifetime/ask-to-stop.ts";

/** What is done to a process, in words. */
function stopOn(platform: NodeJS.Platform, connected: boolean): string[] {
  const done: string[] = [];
  const child = {
    pid: 7,
    connected,
    disconnect: () => void done.push("channel closed"),
    kill: (signal?: NodeJS.Signals | number) => done.push(`kill ${String(signal)}`) > 0,
  };
  askToStop(child, platform, (pid) => void done.push(`tree of ${String(pid)} ended`));
  return done;
}

describe("asking a process to stop", () => {
  it("is SIGTERM where there are signals", () => {
    expect(stopOn("linux", true)).toEqual(["kill SIGTERM"]);
    expect(stopOn("darwin", false)).toEqual(["kill SIGTERM"]);
  });

  it("is the end of the channel on Windows, where Node would kill by a signal", () => {
    expect(stopOn("win32", true)).toEqual(["channel closed"]);
  });

  it("ends a foreign process on Windows with all that it has started", () => {
    expect(stopOn("win32", false)).toEqual(["tree of 7 ended"]);
  });
});

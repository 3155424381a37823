import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findRunning, lockAddress, takeInstanceLock } from "../../../server/supervisor/data-directory/instance-lock.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** A program that tells nothing. */
async function takeSocket(address: string) {
  const server = createServer((socket) => socket.destroy());
  server.listen(address);
  await once(server, "listening");
  return server;
}

const us = () => ({ pid: process.pid, console: "http://127.0.0.1:1/console/", window: false });

describe("the lock of a data directory", () => {
  it("is refused to a second process, with the holder's name", async () => {
    using folder = temporaryFolder();
    const first = await takeInstanceLock(folder.path, us);
    expect(await takeInstanceLock(folder.path, us)).toEqual({ holder: us() });
    await ("lock" in first ? first.lock.release() : undefined);
    const second = await takeInstanceLock(folder.path, us);
    expect("lock" in second).toBe(true);
    await ("lock" in second ? second.lock.release() : undefined);
  });

  it("is waited for while its holder ends, however long that takes", async () => {
    using folder = temporaryFolder();
    let asked = 0;
    const first = await takeInstanceLock(folder.path, () => {
      // Its second question comes after it has waited for a release.
      if (++asked === 2 && "lock" in first) void first.lock.release();
      return { ...us(), isEnding: true };
    });
    const second = await takeInstanceLock(folder.path, us);
    expect(["lock" in second, asked]).toEqual([true, 2]);
    await ("lock" in second ? second.lock.release() : undefined);
  });

  it("is refused while a process has the file that it cannot ask, as one in another container", async () => {
    using folder = temporaryFolder();
    const script = join(folder.path, "hold.ts");
    const lockModule = new URL("../../../server/process/file-lock.ts", import.meta.url).href;
    writeFileSync(
      script,
      `import { lockFile } from ${JSON.stringify(lockModule)};
       const lock = lockFile(${JSON.stringify(join(folder.path, "lock.db"))});
       process.on("disconnect", () => lock.release());
       process.send(typeof lock);`,
    );
    const holder = fork(script);
    expect(await once(holder, "message")).toEqual(["object", undefined]);
    expect(await takeInstanceLock(folder.path, us)).toEqual({ holder: undefined });
    holder.kill("SIGKILL");
    await once(holder, "exit");
    const taken = await takeInstanceLock(folder.path, us);
    expect("lock" in taken).toBe(true);
    await ("lock" in taken ? taken.lock.release() : undefined);
  });

  it("is granted although another program uses the name of its socket", async () => {
    using folder = temporaryFolder();
    const squatter = await takeSocket(lockAddress(folder.path));
    const taken = await takeInstanceLock(folder.path, us);
    expect("lock" in taken).toBe(true);
    expect(await takeInstanceLock(folder.path, us)).toEqual({ holder: undefined });
    await ("lock" in taken ? taken.lock.release() : undefined);
    squatter.close();
  });

  it("goes with its process when that is killed", async () => {
    using folder = temporaryFolder();
    const script = join(folder.path, "hold.ts");
    const lockModule = new URL("../../../server/supervisor/data-directory/instance-lock.ts", import.meta.url).href;
    writeFileSync(
      script,
      `import { takeInstanceLock } from ${JSON.stringify(lockModule)};
       await takeInstanceLock(${JSON.stringify(folder.path)}, () => ({ pid: process.pid, window: false }));
       process.send("held");`,
    );
    const holder = fork(script);
    await once(holder, "message");
    expect(await takeInstanceLock(folder.path, us)).toEqual({ holder: { pid: holder.pid, window: false } });
    holder.kill("SIGKILL");
    await once(holder, "exit");
    const taken = await takeInstanceLock(folder.path, us);
    expect("lock" in taken).toBe(true);
    await ("lock" in taken ? taken.lock.release() : undefined);
  });
});

describe("the lock on macOS, which knows sockets by files alone", () => {
  const take = (folder: string) => takeInstanceLock(folder, us, { platform: "darwin" });

  it("is asked through the data directory, which the system does not clean up", async () => {
    using folder = temporaryFolder();
    const taken = await take(folder.path);
    expect(lockAddress(folder.path, "darwin")).toBe(join(realpathSync(folder.path), "lock.sock"));
    expect(await take(folder.path)).toEqual({ holder: us() });
    expect(await findRunning(folder.path, "darwin")).toEqual(us());
    await ("lock" in taken ? taken.lock.release() : undefined);
    expect(existsSync(lockAddress(folder.path, "darwin"))).toBe(false);
  });

  it("is asked at a short path where the data directory's is too long for a socket", () => {
    using folder = temporaryFolder();
    const deep = join(folder.path, "d".repeat(100));
    mkdirSync(deep);
    expect(Buffer.byteLength(lockAddress(deep, "darwin"))).toBeLessThanOrEqual(103);
  });

  it("takes over the name of a killed one, and of none that lives", async () => {
    using folder = temporaryFolder();
    const script = join(folder.path, "hold.ts");
    const lockModule = new URL("../../../server/supervisor/data-directory/instance-lock.ts", import.meta.url).href;
    writeFileSync(
      script,
      `import { takeInstanceLock } from ${JSON.stringify(lockModule)};
       await takeInstanceLock(${JSON.stringify(folder.path)}, () => ({ pid: process.pid, window: false }), { platform: "darwin" });
       process.send("held");`,
    );
    const holder = fork(script);
    await once(holder, "message");
    expect(await take(folder.path)).toEqual({ holder: { pid: holder.pid, window: false } });
    holder.kill("SIGKILL");
    await once(holder, "exit");
    expect(existsSync(lockAddress(folder.path, "darwin"))).toBe(true);
    const taken = await take(folder.path);
    expect(await findRunning(folder.path, "darwin")).toEqual(us());
    await ("lock" in taken ? taken.lock.release() : undefined);
  });

  it("leaves the socket of the next one alone, however quickly that follows", async () => {
    using folder = temporaryFolder();
    const first = await take(folder.path);
    const released = "lock" in first ? first.lock.release() : undefined;
    const second = await take(folder.path);
    await released;
    expect(await findRunning(folder.path, "darwin")).toEqual(us());
    await ("lock" in second ? second.lock.release() : undefined);
  });
});

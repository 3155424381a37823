import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { recordedLog } from "../../support/quiet-log.ts";
import { startTestApp } from "../../support/app/test-app.ts";

describe("an upload whose client disconnects halfway", () => {
  it("is not logged as a server failure", async () => {
    const { lines, log } = recordedLog();
    await using logged = await startTestApp({ log });
    const { Authorization = "" } = await logged.loggedIn();
    const head = `POST /api/uploads HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${Authorization}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 500\r\n\r\n--b\r\n`;
    lines.length = 0;
    const socket = connect(logged.port, "127.0.0.1");
    const begun = once(logged.server, "request");
    socket.write(head);
    await begun;
    socket.destroy();
    await expect.poll(() => lines.join("")).toContain("request aborted");
    expect(lines.filter((line) => (JSON.parse(line) as { level: number }).level >= 50)).toEqual([]);
  });
});

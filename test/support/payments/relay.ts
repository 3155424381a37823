/** An address that stays while what is behind it stops and starts anew at another one, and a network that is not well. */
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { Transform } from "node:stream";

export async function openRelay() {
  let port: number | undefined;
  let delayMs = 0;
  const open = new Set<Socket>();

  const delay = () =>
    new Transform({
      transform(chunk, _encoding, done) {
        if (delayMs === 0) done(null, chunk);
        else setTimeout(done, delayMs, null, chunk);
      },
    });

  /** What ends one side ends the other in the same way: a reset stays a reset, and half a message half a message. */
  function follow(one: Socket, other: Socket): void {
    open.add(one);
    one.setNoDelay(true);
    one.pipe(delay()).pipe(other);
    one.on("error", () => other.resetAndDestroy());
    one.on("close", () => {
      open.delete(one);
      other.destroySoon();
    });
  }

  const server = createServer((near) => {
    if (port === undefined) {
      near.on("error", () => undefined).resetAndDestroy();
      return;
    }
    const far = connect(port, "127.0.0.1");
    follow(near, far);
    follow(far, near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const socket of open) socket.destroy();
  };

  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    /** Leads there from now on; nowhere: connections are reset. */
    leadTo(url: string | undefined): void {
      port = url === undefined ? undefined : Number(new URL(url).port);
      cut();
    },
    /** Ends the connections that are open, wherever they are. */
    cut,
    /** Each piece takes so much longer from now on. */
    delayBy: (ms: number) => void (delayMs = ms),
    async [Symbol.asyncDispose]() {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}

/** Who is let in from the local network, over all orders of calls, moves and decisions. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addressTrustMs,
  DeviceBook,
  mostWaiting,
  waitingMs,
  type Device,
} from "../../../server/app/lan-access/device-book.ts";
import { deviceName } from "../../../server/http/connection/peer/device-name.ts";
import { isControlPath } from "../../../server/app/lan-access/lan-handler.ts";

function scene() {
  const clock = { ms: 1_000_000 };
  const asked: Device[] = [];
  const open = (admitted: readonly Device[] = []) =>
    new DeviceBook({ admitted, now: () => clock.ms, onWaiting: (device) => void asked.push({ ...device }) });
  return { clock, asked, open, book: open() };
}
const network = "192.168.0.10/24";
const phone = { address: "192.168.0.23", network, cookie: undefined, name: "iPhone, Safari" };

describe("a device", () => {
  it("waits, is asked about once, and is let in by its address or the cookie that it was given", () => {
    const { book, asked } = scene();
    const first = book.judge(phone);
    expect(first.isAdmitted).toBe(false);
    const { cookie } = book.judge(phone);
    expect(cookie).toBe(first.cookie);
    expect(asked).toHaveLength(1);
    book.admit(first.device.id);
    expect(book.judge(phone)).toMatchObject({ isAdmitted: true });
    expect(book.judge({ ...phone, cookie })).toMatchObject({ isAdmitted: true, device: { id: first.device.id } });
  });

  it("whose address another has taken since is nobody's whose connection has ended", () => {
    const { book } = scene();
    const [first, second] = [book.judge(phone), book.judge({ ...phone, address: "192.168.0.24" })];
    for (const { device, cookie } of [first, second]) {
      book.admit(device.id);
      expect(book.judge({ ...phone, cookie }).isAdmitted).toBe(true);
    }
    expect(book.admitted().map(({ address }) => address)).toContain("");
    expect(book.judge({ ...phone, address: "" }).isAdmitted).toBe(false);
  });

  it("with a cookie is known at another address, and whoever gets the old one is not", () => {
    const { book } = scene();
    const { device, cookie } = book.judge(phone);
    book.admit(device.id);
    expect(book.judge({ ...phone, cookie, address: "192.168.0.99" }).isAdmitted).toBe(true);
    expect(book.judge(phone).isAdmitted).toBe(false);
  });

  it("that keeps no cookies is asked about again at another address, in another network, and after half a day", () => {
    const { book, clock } = scene();
    book.admit(book.judge(phone).device.id);
    expect(book.judge({ ...phone, address: "192.168.0.24" }).isAdmitted).toBe(false);
    expect(book.judge({ ...phone, network: "192.168.0.11/24" }).isAdmitted).toBe(false);
    clock.ms += addressTrustMs - 1;
    expect(book.judge(phone).isAdmitted).toBe(true);
    clock.ms += addressTrustMs;
    expect(book.judge(phone).isAdmitted).toBe(false);
  });

  it("with a cookie that nobody gave it waits, even at the address of one that is let in", () => {
    const { book } = scene();
    book.admit(book.judge(phone).device.id);
    expect(book.judge({ ...phone, cookie: "x".repeat(32) }).isAdmitted).toBe(false);
  });

  it("that is removed waits again, by cookie and by address", () => {
    const { book } = scene();
    const { device, cookie } = book.judge(phone);
    book.admit(device.id);
    book.judge({ ...phone, cookie });
    book.remove(device.id);
    expect(book.judge({ ...phone, cookie }).isAdmitted).toBe(false);
    expect(book.judge(phone).isAdmitted).toBe(false);
  });

  it("is asked about again, and no longer waits, when the clock was put back by as long", () => {
    const { book, clock } = scene();
    book.admit(book.judge(phone).device.id);
    clock.ms -= addressTrustMs;
    const { isAdmitted } = book.judge(phone);
    expect(isAdmitted).toBe(false);
    clock.ms -= waitingMs;
    expect(book.waiting()).toEqual([]);
  });

  it("is forgotten when it waits and does not call again", () => {
    const { book, clock } = scene();
    const { device } = book.judge(phone);
    clock.ms += waitingMs;
    expect(book.waiting()).toEqual([]);
    expect(book.admit(device.id)).toBeUndefined();
  });

  it("is known to the next run by what was stored", () => {
    const { book, open } = scene();
    const { device, cookie } = book.judge(phone);
    book.admit(device.id);
    book.judge({ ...phone, cookie });
    const next = open(book.admitted().map((stored) => ({ ...stored })));
    expect(next.judge({ ...phone, cookie, address: "192.168.0.40" }).isAdmitted).toBe(true);
  });
});

it("whoever makes up addresses or cookies cannot make the list of those that wait grow, nor push out the last one", () => {
  const { book } = scene();
  for (let one = 0; one < 500; one++) book.judge({ ...phone, address: `10.0.${one >> 8}.${one & 255}` });
  expect(book.waiting()).toHaveLength(mostWaiting);
  const { device } = book.judge(phone);
  for (let one = 0; one < 500; one++) book.judge({ ...phone, address: "10.9.9.9", cookie: `${one}`.padEnd(32, "c") });
  expect(book.waiting().filter(({ address }) => address === "10.9.9.9").length).toBeLessThan(10);
  expect(book.waiting().map(({ id }) => id)).toContain(device.id);
});

/** A phone with its own cookies, or an app that keeps none. */
interface Phone {
  readonly keepsCookies: boolean;
  address: string;
  cookie: string | undefined;
  /** The device that it was last with its cookie: one that waits and does not call is forgotten, and is another one then. */
  id: string | undefined;
}
const step = fc.oneof(
  fc.record({ type: fc.constant("call" as const), phone: fc.nat(4) }),
  fc.record({ type: fc.constant("move" as const), phone: fc.nat(4), to: fc.nat(3) }),
  fc.record({ type: fc.constant("admit" as const), index: fc.nat(4) }),
  fc.record({ type: fc.constant("remove" as const), index: fc.nat(4) }),
  fc.record({ type: fc.constant("pass" as const), hours: fc.nat(14) }),
);

function call(book: DeviceBook, phone: Phone, letIn: ReadonlySet<string>, now: number): void {
  const before = book.admitted().map((device) => ({ ...device }));
  const { cookie } = phone;
  const verdict = book.judge({ address: phone.address, network, cookie, name: "" });
  if (verdict.isAdmitted) {
    expect(letIn).toContain(verdict.device.id);
    if (cookie !== undefined) expect(verdict.device.id).toBe(phone.id);
    else {
      const known = before.find(({ id }) => id === verdict.device.id);
      expect(known?.address).toBe(phone.address);
      expect(now - (known?.seenAt ?? 0)).toBeLessThan(addressTrustMs);
    }
  }
  if (!phone.keepsCookies) return;
  phone.cookie = verdict.cookie ?? cookie;
  phone.id = verdict.device.id;
}

it("no device is admitted without a person's decision, over all orders of calls, moves and decisions", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { book, clock } = scene();
      const letIn = new Set<string>();
      const phones = [0, 1, 2, 3, 4].map((one): Phone => ({
        keepsCookies: one < 3,
        address: `10.0.0.${one % 4}`,
        cookie: undefined,
        id: undefined,
      }));
      for (const one of steps) {
        const subject = "phone" in one ? phones[one.phone] : undefined;
        if (one.type === "call" && subject) call(book, subject, letIn, clock.ms);
        else if (one.type === "move" && subject) subject.address = `10.0.0.${one.to}`;
        else if (one.type === "pass") clock.ms += one.hours * 3_600_000;
        else if (one.type === "admit") {
          const waits = book.waiting()[one.index];
          if (waits && book.admit(waits.id)) letIn.add(waits.id);
        } else if (one.type === "remove") {
          const device = book.admitted()[one.index];
          if (device && book.remove(device.id)) letIn.delete(device.id);
        }
        expect(book.waiting().length).toBeLessThanOrEqual(mostWaiting);
      }
    }),
    { numRuns: 500 },
  );
});

describe("a path of the console or of a control route", () => {
  const written = fc
    .tuple(
      fc.constantFrom("/", "//", "/./", "/x/../", "/\\", "/%2f", "/%2e/", "/x/%2e%2e/"),
      fc.constantFrom("console", "sim"),
      fc.constantFrom("", "/", "/api/overview", "/users", "%2fusers", "\\users", "//x"),
      fc.infiniteStream(fc.nat(2)),
    )
    .map(([start, root, rest, how]) => {
      const letters = [...root].map((letter) => {
        const style = how.next().value as number;
        if (style === 0) return letter;
        return style === 1 ? letter.toUpperCase() : `%${letter.charCodeAt(0).toString(16)}`;
      });
      return start + letters.join("") + rest;
    });

  it("is told as one, however it is written", () => {
    fc.assert(fc.property(written, (path) => isControlPath(path)));
  });

  it.each(["/api/articles", "/simple", "/consoles", "/api/sim", "/v3/pay/transactions/app", "/", "/%", "/swagger/"])(
    "is not %s",
    (path) => expect(isControlPath(path)).toBe(false),
  );
});

it.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1", "iPhone, Safari"],
  ["Mozilla/5.0 (Linux; Android 15) Chrome/131 Mobile Safari/537.36 MicroMessenger/8.0", "Android, WeChat"],
  ["okhttp/4.12\u001b[31m", "okhttp/4.12[31m"],
  [undefined, ""],
])("a device that says %j is shown as %j", (userAgent, shown) => expect(deviceName(userAgent)).toBe(shown));

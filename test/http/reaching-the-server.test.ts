import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Listener } from "../../server/http/connection/serve.ts";
import { quietLog } from "../support/quiet-log.ts";
import { requestText } from "../support/app/raw-request.ts";
import { startThings } from "../support/app/things-service.ts";

let listener: Listener;
let url: string;
beforeAll(async () => {
  listener = await startThings(quietLog);
  url = listener.url;
});
afterAll(() => listener.close(0));

describe("query normalization", () => {
  const locationOf = async (target: string) => {
    const text = await requestText(
      listener.port,
      `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    );
    return [text.split(" ")[1], /\r\nLocation: (.*)\r\n/i.exec(text)?.[1]];
  };

  it.each([
    ["/api/things?&page_size=1", "/api/things?page_size=1"],
    ["/api/things?&&a=1&b=2", "/api/things?a=1&b=2"],
    ["/api/things?&", "/api/things"],
    ["/api/%E5%9B%BE?&q=%26%2f&", "/api/%E5%9B%BE?q=%26%2f&"],
  ])("redirects %s to %s", async (target, location) => {
    expect(await locationOf(target)).toEqual(["302", location]);
  });

  it.each(["//evil.example?&a", "/\\evil.example?&a"])("never redirects %s to another host", async (target) => {
    const [status, location = ""] = await locationOf(target);
    expect(status).toBe("302");
    expect(new URL(location, "http://localhost").hostname).toBe("localhost");
  });

  it("leaves other methods and other queries alone", async () => {
    expect((await fetch(`${url}/api/things?a=&b=1`, { redirect: "manual" })).status).toBe(200);
    expect((await fetch(`${url}/api/things/1?&a`, { method: "DELETE", redirect: "manual" })).status).toBe(204);
  });
});

describe("cross-origin access", () => {
  it("lets a page of this machine read the reply and its protocol headers", async () => {
    const response = await fetch(`${url}/api/things`, { headers: { Origin: "http://localhost:5173" } });
    expect(response.headers.get("access-control-allow-origin")).toBe("http://localhost:5173");
    const readable = response.headers.get("access-control-expose-headers")?.split(", ");
    for (const name of ["WWW-Authenticate", "Content-Range", "Accept-Ranges", "Preference-Applied"])
      expect(readable).toContain(name);
    expect(response.headers.get("vary")).toContain("Origin");
  });

  it("answers a preflight with 204", async () => {
    const response = await fetch(`${url}/api/things`, {
      method: "OPTIONS",
      headers: { Origin: "http://127.0.0.1:1", "Access-Control-Request-Method": "PUT" },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-methods")).toContain("PUT");
    expect(response.headers.get("access-control-allow-headers")?.split(", ")).toContain("If-Range");
  });

  it("sends no header to a page of another site", async () => {
    const response = await fetch(`${url}/api/things`, { headers: { Origin: "http://evil.example" } });
    expect(response.headers.get("access-control-allow-origin")).toBeNull();
  });

  it("refuses a Host that is not a name of this machine", async () => {
    const text = await requestText(
      listener.port,
      "GET /api/things HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    );
    expect(text).toMatch(/^HTTP\/1.1 403 /);
  });
});

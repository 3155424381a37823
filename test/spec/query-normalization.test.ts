import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "../support/app/test-app.ts";
import { requestText } from "../support/app/raw-request.ts";
import { describedServer, send } from "./spec-client.ts";

const server = describedServer();
let app: TestApp;
let headers: Record<string, string>;
beforeAll(async () => ({ app, headers } = await server.startLoggedIn()));
afterAll(server.stop);

/** Status and Location of a GET, whose target goes out byte for byte. */
async function redirectOf(target: string, port = app.port): Promise<[string | undefined, string | undefined]> {
  const text = await requestText(port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  return [text.split(" ")[1], /\r\nLocation: (.*)\r\n/i.exec(text)?.[1]];
}

describe("Query-string normalization", () => {
  it("[Query-string normalization 1] the leading & goes, the path and the rest of the query stay byte for byte", async () => {
    expect(await redirectOf("/api/articles?&page_size=1")).toEqual(["302", "/api/articles?page_size=1"]);
    expect(await redirectOf("/api/articles?&&a=1&b=%26&")).toEqual(["302", "/api/articles?a=1&b=%26&"]);
    expect(await redirectOf("/api/%E5%9B%BE?&q=%e5")).toEqual(["302", "/api/%E5%9B%BE?q=%e5"]);
    expect(await redirectOf("/api/articles?&")).toEqual(["302", "/api/articles"]);
    expect((await redirectOf("/api/articles?a=1&&b=2"))[0]).not.toBe("302");
  });

  it("[Query-string normalization 1] a client that follows it gets what it asked for", async () => {
    await send(`${app.url}/api/articles`, "POST", headers, { title: "one" });
    await send(`${app.url}/api/articles`, "POST", headers, { title: "two" });
    const followed = await fetch(`${app.url}/api/articles?&page_size=1`, { headers });
    expect([followed.status, followed.url]).toEqual([200, `${app.url}/api/articles?page_size=1`]);
  });

  it("[Query-string normalization 2] every GET endpoint does it, with a login and without", async () => {
    const paths = [
      "/",
      "/api/articles/1",
      "/api/sessions/current",
      "/avatars/x",
      "/swagger",
      "/swagger/docs/v1",
      "/healthz",
      "/metrics",
      "/no",
    ];
    for (const path of paths) expect(await redirectOf(`${path}?&x=1`)).toEqual(["302", `${path}?x=1`]);
    const head = await send(`${app.url}/api/articles?&x=1`, "HEAD", {});
    expect([head.status, head.headers.get("location")]).toEqual([302, "/api/articles?x=1"]);
  });

  it("[Query-string normalization 3] the original query is not appended again", async () => {
    const [, location = ""] = await redirectOf("/api/articles?&page=1&page_size=2");
    expect(location.split("page_size")).toHaveLength(2);
    expect(location).not.toContain("&&");
    expect(location.match(/\?/g)).toHaveLength(1);
  });

  it.each(["302", "307"] as const)(
    "[Query-string normalization 4] while testing it is temporary: %s",
    async (status) => {
      await using other = await startTestApp({ settings: { query_normalization: status } });
      expect(await redirectOf("/api/articles?&a=1", other.port)).toEqual([status, "/api/articles?a=1"]);
    },
  );

  it("[Query-string normalization 5] when final it is permanent: 301", async () => {
    await using other = await startTestApp({ settings: { query_normalization: "301" } });
    expect(await redirectOf("/api/articles?&a=1", other.port)).toEqual(["301", "/api/articles?a=1"]);
  });

  it("[Query-string normalization 6] without the rule it is 400", async () => {
    await using other = await startTestApp({ settings: { query_normalization: "off" } });
    expect(await redirectOf("/api/articles?&a=1", other.port)).toEqual(["400", undefined]);
  });
});

import { describe, expect, it } from "vitest";
import { endpoint, type Method } from "../../../server/contract/endpoint.ts";
import { createPathTable } from "../../../server/http/path-table.ts";
import { createRouteTable, type RouteTable } from "../../../server/http/route-table.ts";
import { route } from "../../../server/http/route.ts";

const at = (path: string, method: Method = "GET") =>
  route(endpoint({ id: `${method} ${path}`, tag: "t", method, path, access: "none", status: 200 }), () => ({}));
const found = (table: RouteTable, path: string) => {
  const match = table(path);
  return match && [[...match.value.values()].map(({ spec }) => spec.id), match.params];
};

describe("the route table", () => {
  const table = createRouteTable([
    at("/api/a"),
    at("/api/a", "POST"),
    at("/api/a/{id}"),
    at("/api/a/me"),
    at("/api/a/{id}/b/{n}"),
    at("/{any}/x"),
  ]);

  it("finds a path with all its methods, and one '/' at the end changes nothing", () => {
    expect(found(table, "/api/a")).toEqual([["GET /api/a", "POST /api/a"], {}]);
    expect(found(table, "/api/a/")).toEqual(found(table, "/api/a"));
    expect(table("/api/a//")).toBeUndefined();
  });

  it("prefers a path written out to one with a parameter", () => {
    expect(found(table, "/api/a/me")).toEqual([["GET /api/a/me"], {}]);
    expect(found(table, "/api/a/you")).toEqual([["GET /api/a/{id}"], { id: "you" }]);
  });

  it("decodes parameters, wherever they are, and refuses malformed ones", () => {
    expect(found(table, "/api/a/%E5%9B%BE/b/2%2F3")).toEqual([["GET /api/a/{id}/b/{n}"], { id: "图", n: "2/3" }]);
    expect(found(table, "/whatever/x")).toEqual([["GET /{any}/x"], { any: "whatever" }]);
    expect(() => table("/api/a/%E0%A4%A")).toThrow(URIError);
  });

  it("ignores case where configured, but not in parameters", () => {
    const folded = createRouteTable([at("/api/A"), at("/api/a/{id}/b")], { ignoreCase: true });
    expect(found(folded, "/API/a")).toEqual([["GET /api/A"], {}]);
    expect(found(folded, "/Api/a/Me/B/")).toEqual([["GET /api/a/{id}/b"], { id: "Me" }]);
    expect(table("/API/a")).toBeUndefined();
  });

  it("finds nothing for a path that no route has", () => {
    for (const path of ["/", "/api", "/api/b", "/api/a/1/b", "/api/a/1/c/2", ""]) expect(table(path)).toBeUndefined();
  });

  it("refuses two routes for one method and path", () => {
    expect(() => createRouteTable([at("/a/{id}"), at("/a/{id}")])).toThrow("GET /a/{id} is defined twice");
  });
});

describe("the path table", () => {
  const find = createPathTable([
    ["/a/{rest*}", "rest"],
    ["/a/b", "b"],
    ["/a/{id}/c", "c"],
  ]);

  it("gives what is left of a path to a parameter that takes several segments, unless another path fits", () => {
    expect(find("/a/b")).toEqual({ value: "b", path: "/a/b", params: {} });
    expect(find("/a/x/c")).toEqual({ value: "c", path: "/a/{id}/c", params: { id: "x" } });
    expect(find("/a/x")).toEqual({ value: "rest", path: "/a/{rest*}", params: { rest: "x" } });
    expect(find("/a/x/y%2Fz/b")).toEqual({ value: "rest", path: "/a/{rest*}", params: { rest: "x/y/z/b" } });
    expect([find("/a"), find("/a/"), find("/b/x")]).toEqual([undefined, undefined, undefined]);
  });

  it("leaves a parameter undecoded where configured", () => {
    const written = createPathTable([["/a/{id}", 1]], { decode: (text) => text });
    expect(written("/a/%zz")).toEqual({ value: 1, path: "/a/{id}", params: { id: "%zz" } });
  });
});

import { describe, expect, it } from "vitest";
import { endpoint, type Method } from "../../../server/contract/endpoint.ts";
import { createRouteTable } from "../../../server/http/route-table.ts";
import { route } from "../../../server/http/route.ts";

const at = (path: string, method: Method = "GET") =>
  route(endpoint({ id: `${method} ${path}`, tag: "t", method, path, access: "none", status: 200 }), () => ({}));
const found = (table: ReturnType<typeof createRouteTable>, path: string) => {
  const match = table(path);
  return match && [[...match.methods.values()].map(({ spec }) => spec.id), match.params];
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

  it("finds nothing for a path that no route has", () => {
    for (const path of ["/", "/api", "/api/b", "/api/a/1/b", "/api/a/1/c/2", ""]) expect(table(path)).toBeUndefined();
  });

  it("refuses two routes for one method and path", () => {
    expect(() => createRouteTable([at("/a/{id}"), at("/a/{id}")])).toThrow("GET /a/{id} is defined twice");
  });
});

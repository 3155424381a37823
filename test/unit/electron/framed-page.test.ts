import { expect, it } from "vitest";
import { isFramedPage } from "../../../electron/window/navigation.ts";

const [app, console] = ["http://127.0.0.1:3080", "http://127.0.0.1:3082"];

it("The window shows in a frame only the API description of the application server's origin", () => {
  const shown = ["about:blank", `${app}/swagger`, `${app}/swagger/`, `${app}/Swagger?x=1#/articles`];
  expect(shown.filter((url) => !isFramedPage(url, app))).toEqual([]);
  const refused = [
    ...["/", "/swaggers", "/api/articles", "/avatars/1", "/console/", "/fixed-answer"].map((path) => app + path),
    ...["/swagger", "/console/"].map((path) => console + path),
    ...["http://127.0.0.1:3080.example.org/swagger", "data:text/html,/swagger", "javascript:0"],
  ];
  expect(refused.filter((url) => isFramedPage(url, app))).toEqual([]);
  expect(isFramedPage(`${app}/swagger`, undefined)).toBe(false);
});

import { describe, expect, it } from "vitest";
import { diagnosticsText } from "../../../electron/desktop/diagnostics.ts";
import { settingsSchema } from "../../../server/contract/process/settings.ts";

describe("Diagnostics", () => {
  const facts = {
    version: "0.1.0",
    system: { system: "linux 6 x64" },
    settings: settingsSchema.parse({ data_dir: "/home/ada/hearth" }),
    services: [],
    lines: {},
    home: "/home/ada",
    platform: "linux",
  } as const;

  it("tell version, system, settings, states and last lines, and none of the secrets", () => {
    const settings = settingsSchema.parse({
      data_dir: "/home/ada/hearth",
      app_port: 4000,
      identity_app_secret: "identity-secret",
      payment_api_v2_key: "k".repeat(32),
      payment_base_url: "http://ada:password@pay.example",
      upstream_keys: "one=upstream-key, two=upstream-key-2",
      registry_auth: "models.example=registry-token",
    });
    const lines = [
      "listening on http://127.0.0.1:4000/console/?token=run-token",
      "open http://127.0.0.1:4000/console/?code=AB12-CD34",
      'sent Authorization: Bearer abc.def-123 {"openid":"openid-of-ada"}',
      "the secret was identity-secret, read from /home/ada/hearth/key.pem",
      "two refused upstream-key-2, models.example refused registry-token",
    ];
    const text = diagnosticsText(
      {
        ...facts,
        settings,
        services: [{ name: "runner", state: "down", urls: {}, restarts: 3, since: "", reason: "exited with code 1" }],
        lines: { app: lines.join("\n") },
      },
      ["run-token"],
    );
    const told = ["Hearth 0.1.0", "linux 6 x64", "app_port = 4000", "runner: down, 3 restarts, exited with code 1"];
    for (const one of told) expect(text).toContain(one);
    expect(text).toContain('data_dir = "~/hearth"');
    expect(text).not.toContain("provider_port");
    expect(text).not.toMatch(/identity-secret|kkkk|password|run-token|AB12|abc[.]def|openid-of-ada|\/home\/ada/);
    expect(text).toContain("two refused [secret], models.example refused [secret]\n");
  });

  it.each([
    ["linux", "/home/jörg l", ["/home/jörg l/a.js", "file:///home/j%C3%B6rg%20l/a.js:1:2"]],
    [
      "win32",
      "C:\\Users\\ada",
      [
        "C:\\Users\\ada\\a.js",
        "c:\\users\\ADA\\a.js",
        '"C:\\\\Users\\\\ada"',
        "file:///C:/Users/ada/a.js:1:2",
        "C:/Users/ada/a.js",
      ],
    ],
  ] as const)("hide the home directory on %s however it is written", (platform, home, lines) => {
    const text = diagnosticsText({ ...facts, platform, home, lines: { app: lines.join("\n") } }, []);
    expect(text.match(/~/g)).toHaveLength(lines.length);
    expect(text).not.toMatch(/ada\b(?!\/hearth)|j(ö|%C3%B6)rg/i);
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultDataDir, resolveSettings, SettingsError } from "../../../server/process/settings/read-settings.ts";
import { workingDirectory } from "../../../server/process/settings/working-directory.ts";
import { helpText } from "../../../server/cli/command-parser.ts";
import { commands } from "../../../server/cli/commands.ts";
import { createInput } from "../../../server/cli/models/model-inputs.ts";
import { parseAlone, parseSettings } from "../../../server/process/command-line/parse-input.ts";
import { settingsSchema } from "../../../server/contract/process/settings.ts";
import { encodedText } from "../../support/encoded-text.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** Settings from a command line, an environment and, when given, a configuration file in the working directory. */
function settingsOf(argv: string[], env: NodeJS.ProcessEnv = {}, config?: unknown) {
  using folder = temporaryFolder();
  if (config !== undefined) writeFileSync(join(folder.path, "hearth.config.json"), JSON.stringify(config));
  return resolveSettings(parseSettings(argv), { XDG_DATA_HOME: folder.path, ...env }, folder.path);
}

describe("settings", () => {
  it.each([
    ["--payment-base-url", "ftp://me:hunter2@host"],
    ["--upstreams", "http://me:hunter2@host/v1"],
    ["--cors-origins", "http://me:hunter2@host:81"],
    ["--update-url", "ftp://me:hunter2@host"],
    ["--identity-base-url", "https://me:hun/ter2@host"],
    ["--identity-base-url", "ftp://me:hun@ter2@host"],
    ["--identity-base-url", "ftp://me:hun ter2@host"],
    ["--identity-base-url", 'ftp://me:hun"ter2@host'],
  ])("refuse %s %s without its password", (flag, value) => {
    expect(() => settingsOf([flag, value])).toThrow(/^(?!.*(?:hun|ter2)).*:\/\/…@host/);
  });

  it.skipIf(process.platform === "win32")("take XDG_DATA_HOME where it is an absolute path", () => {
    const usual = join(homedir(), ".local", "share", "hearth");
    const folders = ["/moved", "", "share"].map((path) => defaultDataDir({ XDG_DATA_HOME: path }, "linux"));
    expect(folders).toEqual(["/moved/hearth", usual, usual]);
  });

  it("have a default each", () => {
    expect(settingsOf([])).toMatchObject({ app_port: 3080, provider_port: 3081, model_port: 11_434, headless: false });
    expect(settingsOf([]).open).toBeUndefined();
  });

  it("take a flag over a variable, a variable over the file, the file over the default", () => {
    const env = { HEARTH_APP_PORT: "2", HEARTH_PROVIDER_PORT: "2" };
    const config = { app_port: 3, provider_port: 3, model_port: 3 };
    expect(settingsOf(["--app-port", "1"], env, config)).toMatchObject({
      app_port: 1,
      provider_port: 2,
      model_port: 3,
    });
  });

  it("take ~ in a path as the user's home, except in the working directory's file, which must not leave its folder", () => {
    const env = { HEARTH_COLLECTIONS_DIR: "~/schemas" };
    expect(settingsOf(["--models-dir", "~/models"], env)).toMatchObject({
      models_dir: join(homedir(), "models"),
      collections_dir: join(homedir(), "schemas"),
    });
    expect(settingsOf(["--routes-file", "~routes.json"]).routes_file).not.toContain(join(homedir(), "routes"));
    const { routes_file: projects = "" } = settingsOf([], {}, { routes_file: "~/routes.json" });
    expect([basename(dirname(projects)), dirname(projects)]).toEqual(["~", expect.not.stringContaining(homedir())]);
  });

  it("take the data directory's file, which the console writes, over that of the working directory", () => {
    using folder = temporaryFolder();
    const data = join(folder.path, "data");
    mkdirSync(data);
    writeFileSync(join(data, "hearth.config.json"), '{"log_level":"debug","host":"0.0.0.0"}');
    writeFileSync(join(folder.path, "hearth.config.json"), '{"log_level":"warn","json_indent":2}');
    const given = { log_level: "debug", host: "0.0.0.0", json_indent: 2, data_dir: data };
    expect(resolveSettings({ data_dir: "data" }, {}, folder.path)).toMatchObject(given);
  });

  it.each(["utf-8", "utf-16le", "utf-16be"] as const)("take a file in %s with a byte order mark", (encoding) => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, "hearth.config.json"), encodedText('{"app_port":3}', encoding));
    expect(resolveSettings({}, { XDG_DATA_HOME: folder.path }, folder.path).app_port).toBe(3);
  });

  it("are those of the working directory, but in a script of Hearth's own checkout of where npm was started", () => {
    const at = (name: string) =>
      workingDirectory({ npm_lifecycle_event: "e2e", npm_package_name: name, INIT_CWD: "/" });
    expect([at("shop"), at("hearthkit"), workingDirectory({})]).toEqual([process.cwd(), "/", process.cwd()]);
  });

  it("understand a switch alone, with a value and negated", () => {
    expect(settingsOf(["--headless", "--no-open", "--json=false"])).toMatchObject({
      headless: true,
      open: false,
      json: false,
    });
  });

  it("take the empty variable of a switch, as a compose file has one that nobody has set, for none", () => {
    const empty = { HEARTH_MAINTENANCE: "", HEARTH_OPEN: "", HEARTH_REQUIRE_USERINFO: "" };
    const { maintenance, open, require_userinfo } = settingsOf([], empty);
    expect([maintenance, open, require_userinfo]).toEqual([false, undefined, true]);
    expect(settingsOf([], empty, { maintenance: true }).maintenance).toBe(true);
  });

  it.each([
    [["--prot", "1"], {}, undefined, /unknown flag --prot/],
    [["--no-app-port"], {}, undefined, /unknown flag --no-app-port/],
    [["-x"], {}, undefined, /unknown flag -x/],
    [["--app-port"], {}, undefined, /flag --app-port needs a value/],
    [
      ["--data-dir", "--headless"],
      {},
      undefined,
      /^flag --data-dir needs a value; write it as --data-dir=--headless if/,
    ],
    [["--app-port", "-1"], {}, undefined, /^flag --app-port needs a value; write it as --app-port=-1 if/],
    [["--app-port=-1"], {}, undefined, /^--app-port: "-1" is not valid/],
    [["--app-port", "abc"], {}, undefined, /^--app-port: "abc" is not valid/],
    [["--app-port", ""], {}, undefined, /^--app-port: "" is not valid/],
    [["--app-port", "65536"], {}, undefined, /^--app-port: "65536" is not valid \(at most 65535\)/],
    [["--maintenance="], {}, undefined, /^--maintenance: "" is not valid/],
    [["--app-port", "3080.5"], {}, undefined, /^--app-port: "3080.5" is not valid \(a whole number is required\)$/],
    [["--json=on"], {}, undefined, /^--json: "on" is not valid \(one of true, false, 1, 0\)$/],
    [
      [],
      { HEARTH_MAINTENANCE: "TRUE" },
      undefined,
      /^HEARTH_MAINTENANCE: "TRUE" is not valid \(one of true, false, 1, 0\)$/,
    ],
    [["--maxsizeofsiglefile-mb", "0"], {}, undefined, /^--maxsizeofsiglefile-mb: "0" is not valid \(more than 0\)$/],
    [[], {}, { identity_app_id: 5 }, /config.json: identity_app_id: 5 is not valid \(a text is required\)$/],
    [[], {}, { cors_origins: 5 }, /config.json: cors_origins: 5 is not valid \(a list is required, or its items/],
    [[], {}, { maintenance: "" }, /config.json: maintenance: "" is not valid/],
    [["--host", ""], {}, undefined, /^--host: "" is not valid \(it is empty\)/],
    [
      ["--app-port", "3081"],
      {},
      undefined,
      /^--app-port and --provider-port have the same port 3081; use different ports/,
    ],
    [["--allowed-hosts", "a.example,http://b.example"], {}, undefined, /^--allowed-hosts: .* without scheme and port/],
    [["--allowed-targets", "10.0.0.0/33"], {}, undefined, /^--allowed-targets: .*an address, CIDR or name is required/],
    [
      ["--cors-origins", "loopback,http://192.168.0.10:5173/"],
      {},
      undefined,
      /^--cors-origins: .*origin such as http:..192.168.0.10:5173 is required, not http:..192.168.0.10:5173[/][)]$/,
    ],
    [
      [],
      { HEARTH_CORS_ORIGINS: "example.com" },
      undefined,
      /^HEARTH_CORS_ORIGINS: .*https:..example.com is required, not example.com[)]$/,
    ],
    [
      [],
      {},
      { cors_origins: ["https://shop.example/a"] },
      /config.json: cors_origins: .*https:..shop.example is required, not/,
    ],
    [[], { HEARTH_LOG_LEVEL: "loud" }, undefined, /^HEARTH_LOG_LEVEL: "loud" is not valid \(one of .*warn/],
    [[], {}, { app_port: "x" }, /hearth\.config\.json: app_port: "x" is not valid/],
    [[], {}, { prot: 1 }, /hearth\.config\.json: unknown setting "prot"/],
    [[], {}, [], /hearth\.config\.json: must contain one JSON object/],
    [
      [],
      { HEARTH_APP_PORT: "1" },
      { app_port: 0, host: "0.0.0.0" },
      /host: .* --host, HEARTH_HOST or .*hearth\.config/,
    ],
  ])("refuse %j with environment %j and file %j in one line that names it", (argv, env, config, message) => {
    const resolve = () => settingsOf(argv, env, config);
    expect(resolve).toThrow(SettingsError);
    expect(resolve).toThrow(message);
  });

  it("take a value that begins with a hyphen behind an equals sign, and one that is nothing else", () => {
    expect(settingsOf(["--data-dir=-x"]).data_dir).toMatch(/-x$/);
    expect(parseAlone(["x", "--file", "-"], createInput).file).toBe("-");
    expect(() => parseAlone(["-f", "--insecure"], createInput)).toThrow(/^flag -f .* --file=--insecure if/);
  });

  it("refuse a name that a program passes and nobody knows, without naming a file", () => {
    expect(() => resolveSettings({ nosuch: 1 } as object, {}, "/")).toThrow(/^unknown setting "nosuch"$/);
  });

  it("take each origin that a browser or an app may send, and patterns of the model service", () => {
    const originsOf = (text: string) => settingsOf(["--cors-origins", text]).cors_origins;
    for (const origin of [
      ...["loopback", "*", "null", "https://shop.example", "http://192.168.0.10:5173", "http://[fd00::1]:8080"],
      ...[
        "app://obsidian.md",
        "capacitor://localhost",
        "chrome-extension://abcdef",
        "file://",
        "https://xn--mller-kva.de",
      ],
      ...["moz-extension://*", "http://192.168.0.10:*", "https://*.shop.example", "*.shop.example"],
    ])
      expect(originsOf(origin)).toEqual([origin]);
    expect(originsOf("")).toEqual([]);
    for (const [wrong, right] of [
      ["http://shop.example:80", "http://shop.example"],
      ["HTTPS://Shop.example", "https://shop.example"],
      ["https://müller.de", "https://xn--mller-kva.de"],
      ["localhost:5173", "https://localhost:5173"],
      ["192.168.0.10:5173", "https://192.168.0.10:5173"],
      ["capacitor://localhost/", "capacitor://localhost"],
      ["https://*.shop.example/", "https://*.shop.example"],
      ["https://*.*", "https://shop.example"],
    ] as const)
      expect(() => originsOf(wrong), wrong).toThrow(`an origin such as ${right} is required, not ${wrong})`);
  });

  it("take a bucket with or without a prefix", () => {
    const bucketOf = (place: string) => settingsOf(["--uploads-bucket", place]).uploads_bucket;
    for (const place of ["abc", "my.bucket-1", "bucket/of.a/pre_fix"]) expect(bucketOf(place)).toBe(place);
    for (const place of ["ab", "Upper", "a".repeat(64), "bucket/", "bucket//prefix", "bucket/a space"])
      expect(() => bucketOf(place), place).toThrow(/^--uploads-bucket: .*a bucket's name is required/);
  });

  it("keep a secret to themselves when it is wrong", () => {
    const resolve = () => settingsOf(["--payment-api-v2-key", "too-short-a-secret"]);
    expect(resolve).toThrow(/^--payment-api-v2-key: the value is not valid \(32 characters/);
    expect(resolve).not.toThrow(/too-short/);
  });

  const merchant = ["--payment-mch-id", "1900000109", "--payment-app-id", "wxd930ea5d5a258f4f"];
  const keyV2 = ["--payment-api-v2-key", "k".repeat(32)];
  const keyV3 = ["--payment-version", "v3", "--payment-api-v3-key", "k".repeat(32)];
  const alipay = ["--payment-provider", "alipay", ...merchant];
  it.each([
    [["--payment-base-url", "https://pay.example"], /^payment_mch_id is missing: payments by v2 .* payment_base_url/],
    [merchant, /^payment_api_v2_key is missing/],
    [keyV2, /^payment_mch_id is missing/],
    [[...merchant, ...keyV2, "--payment-version", "v3"], /^payment_api_v3_key is missing/],
    [[...merchant, ...keyV3], /^payment_merchant_key_file is missing/],
    [[...merchant, ...keyV3, "--payment-merchant-key-file", "k.pem"], /^payment_merchant_serial is missing/],
    [
      [...merchant, ...keyV2, "--payment-platform-key-id", "PUB_KEY_ID_1"],
      /^payment_platform_key_file is missing.*payment_mch_id/,
    ],
    [alipay, /^payment_merchant_key_file is missing: payments by alipay .* payment_mch_id/],
    [[...alipay, "--payment-merchant-key-file", "k.pem"], /^payment_platform_key_file is missing/],
  ])("name what is missing where a payment merchant is set by halves: %j", (argv, message) => {
    expect(() => settingsOf(argv)).toThrow(SettingsError);
    expect(() => settingsOf(argv)).toThrow(message);
  });

  it("take a whole payment merchant, and its key file from the working directory", () => {
    const argv = [...merchant, ...keyV3, "--payment-merchant-serial", "5A0B", "--payment-merchant-key-file", "k.pem"];
    const settings = settingsOf(argv);
    expect(isAbsolute(settings.payment_merchant_key_file ?? "")).toBe(true);
    expect(settingsOf([...argv, "--payment-notify-url", "https://shop.example/"]).payment_notify_url).toBe(
      "https://shop.example",
    );
    expect(() => settingsOf(["--payment-notify-url", "https://shop.example/?a=1"])).toThrow(/no query/);
  });

  it("are all in the help, with flag, variable and meaning", () => {
    const help = helpText(commands, "serve");
    for (const [name, schema] of Object.entries(settingsSchema.shape)) {
      expect(help).toContain(`--${name.toLowerCase().replaceAll("_", "-")}`);
      expect(help).toContain(`HEARTH_${name.toUpperCase()}`);
      expect(help.replaceAll(/\s+/g, " ")).toContain(schema.description);
    }
  });
});

/** The other files of build/container: what they say has to fit the image, the settings and each other. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { engineVersion, enginePackage } from "../../../server/contract/model/gpu-engine.ts";
import { settingsSchema, type SettingName } from "../../../server/contract/process/settings.ts";
import { resolveSettings, variableName } from "../../../server/process/settings/read-settings.ts";
import { contextFolder } from "../../support/process/container.ts";
import { environmentOf, readDockerfile } from "../../support/process/read-dockerfile.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const textOf = (name: string) => readFileSync(join(contextFolder, name), "utf8");
const isThere = (command: string) => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
const checkout = JSON.parse(textOf("../../package.json")) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};

/** What this compose file may have; Compose ignores no member that it does not know. */
const service = z.strictObject({
  build: z.literal(".").optional(),
  image: z.string().regex(/^[a-z/]+(:[\w.-]+)?$/),
  command: z.array(z.string()).optional(),
  init: z.boolean().optional(),
  read_only: z.boolean().optional(),
  tmpfs: z.union([z.string(), z.array(z.string())]).optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
  restart: z.literal("unless-stopped"),
  stop_grace_period: z.string().optional(),
  environment: z.record(z.string(), z.string()).optional(),
  ports: z.array(z.string()).optional(),
  volumes: z.array(z.string()).optional(),
  networks: z.record(z.string(), z.strictObject({ ipv4_address: z.ipv4() })).optional(),
  depends_on: z
    .record(z.string(), z.strictObject({ condition: z.enum(["service_healthy", "service_started"]) }))
    .optional(),
  healthcheck: z.strictObject({ test: z.array(z.string()), interval: z.string(), start_period: z.string() }).optional(),
});
const composeSchema = z.strictObject({
  name: z.string(),
  services: z.strictObject({ hearth: service, db: service, store: service, proxy: service }),
  networks: z.record(z.string(), z.unknown()),
  volumes: z.record(z.string(), z.null()),
});
const compose = composeSchema.parse(parse(textOf("compose.yaml")));
const image = () => readDockerfile(textOf("Dockerfile")).at(-1);

const unit = new Map(
  textOf("hearth.service")
    .split("\n")
    .filter((line) => /^\w+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
);
const unitEnvironment = parseEnv((unit.get("Environment") ?? "").replaceAll(" ", "\n")) as Record<string, string>;
const composeEnvironment = compose.services.hearth.environment ?? {};

/** As docs/guides/operations.md has it: twice the time for open requests, and 10 seconds for the rest. */
const atLeastSeconds = (env: Readonly<Record<string, string>>) =>
  Number(env["HEARTH_SHUTDOWN_DELAY_SECONDS"] ?? 0) + 2 * Number(env["HEARTH_DRAIN_SECONDS"]) + 10;

describe("the container's packages", () => {
  const { dependencies, optionalDependencies } = JSON.parse(textOf("package.json")) as Record<
    string,
    Record<string, string>
  >;

  it("are those of the checkout, in its versions, with the engine for both processors", () => {
    for (const [name, version] of Object.entries(dependencies ?? {}))
      expect([name, version]).toEqual([name, checkout.dependencies[name] ?? checkout.devDependencies[name]]);
    const engines = ["arm64", "x64"].map((arch) => [enginePackage("linux", arch), engineVersion]);
    expect(optionalDependencies).toEqual(Object.fromEntries(engines));
  });
});

describe("the environments of image, compose file and unit", () => {
  it("have settings that exist, with values that a start accepts", () => {
    const ofImage = environmentOf(image() ?? expect.fail("no stage"), "");
    for (const env of [ofImage, composeEnvironment, unitEnvironment]) {
      const names = Object.keys(env).filter((name) => name.startsWith("HEARTH_") && name !== "HEARTH_CONSOLE_TOKEN");
      const known = (Object.keys(settingsSchema.shape) as SettingName[]).map(variableName);
      expect(known).toEqual(expect.arrayContaining(names));
      const filled = Object.entries(env).map(([name, value]) => [name, value.replaceAll(/\$\{[^}]*\}/g, "given")]);
      expect(() => resolveSettings({}, Object.fromEntries(filled) as Record<string, string>, "/")).not.toThrow();
    }
  });

  it("open no model service to other machines without a key", () => {
    expect(environmentOf(image() ?? expect.fail("no stage"), "")).toMatchObject({ HEARTH_REQUIRE_KEYS: "elsewhere" });
    expect(unitEnvironment).toMatchObject({ HEARTH_REQUIRE_KEYS: "elsewhere" });
  });

  it("leave Hearth the time to end by itself", () => {
    expect(parseInt(compose.services.hearth.stop_grace_period ?? "", 10)).toBeGreaterThanOrEqual(
      atLeastSeconds(composeEnvironment),
    );
    expect(Number(unit.get("TimeoutStopSec"))).toBeGreaterThanOrEqual(atLeastSeconds(unitEnvironment));
    expect(unit.get("KillMode")).toBe("mixed");
  });
});

describe("the compose file", () => {
  it("runs Hearth read-only, without capabilities, with a volume where the image has one", () => {
    const { read_only, tmpfs, cap_drop, security_opt, volumes } = compose.services.hearth;
    expect({ read_only, tmpfs, cap_drop, security_opt }).toEqual({
      read_only: true,
      tmpfs: "/tmp",
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
    });
    expect(volumes).toEqual([`data:${image()?.last("VOLUME") ?? ""}`]);
  });

  it("has no secret itself: each comes from .env, of which the example names all, and git and the image know none", () => {
    const used = Array.from(textOf("compose.yaml").matchAll(/\$\{(\w+):\?/g), ([, name]) => name);
    expect(textOf("compose.yaml").match(/\$\{\w+[^:\w]/)).toBeNull();
    expect(new Set(Object.keys(parseEnv(textOf(".env.example"))))).toEqual(new Set(used));
    const secrets = Object.values(compose.services)
      .flatMap(({ environment = {} }) => Object.entries(environment))
      .filter(([name]) => /TOKEN|PASSWORD|SECRET|KEY|DATABASE_URL/.test(name));
    expect(secrets).toHaveLength(8);
    for (const [name, value] of secrets) expect(value, name).toMatch(/\$\{/);
    expect(textOf("../../.gitignore").split("\n")).toContain("build/container/.env");
    expect(textOf(".dockerignore").split("\n")).not.toContain("!.env");
  });

  it("mounts files that are there, uses volumes that it declares, and publishes what the proxy alone listens on", () => {
    const { hearth, db, store, proxy } = compose.services;
    const mounted = [hearth, db, store, proxy].flatMap(({ volumes = [] }) =>
      volumes.map((one) => one.split(":")[0] ?? ""),
    );
    for (const source of mounted)
      expect(
        source.startsWith("./") ? existsSync(join(contextFolder, source)) : source in compose.volumes,
        source,
      ).toBe(true);
    const listened = Array.from(textOf("nginx.conf").matchAll(/listen (\d+);/g), ([, port]) => `${port}:${port}`);
    expect(proxy.ports).toEqual(listened);
    expect(listened.map((port) => port.split(":")[0])).toEqual(image()?.last("EXPOSE").split(" "));
    expect([hearth.ports, db.ports, store.ports]).toEqual([undefined, undefined, undefined]);
    expect(composeEnvironment["HEARTH_TRUSTED_PROXIES"]).toBe(proxy.networks?.["default"]?.ipv4_address);
  });
});

describe("the proxy's file", () => {
  it.runIf(isThere("nginx"))("is one that nginx takes", () => {
    using folder = temporaryFolder();
    // Ports of this machine may be taken.
    const text = textOf("nginx.conf").replaceAll(/listen (\d+);/g, `listen unix:${folder.path}/$1.sock;`);
    writeFileSync(join(folder.path, "default.conf"), text);
    const own = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${name};`);
    const whole = `pid nginx.pid; events {} http { access_log off; ${own.join(" ")} include default.conf; }`;
    writeFileSync(join(folder.path, "nginx.conf"), whole);
    const given = ["-t", "-e", "stderr", "-p", folder.path, "-c", "nginx.conf"];
    const { status, stderr } = spawnSync("nginx", given, { encoding: "utf8" });
    expect(status, stderr).toBe(0);
  });
});

describe("the unit", () => {
  it.runIf(isThere("systemd-analyze"))("is one that systemd takes", () => {
    using folder = temporaryFolder();
    const file = join(folder.path, "hearth.service");
    // The program has to be there; Node lies elsewhere on this machine.
    writeFileSync(file, textOf("hearth.service").replace("/usr/bin/node", process.execPath));
    const { stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
    // Other units of this machine may have problems of their own.
    expect(stderr.split("\n").filter((line) => line.includes("hearth.service"))).toEqual([]);
  });
});

/** The commands of the pages that start a Hearth and run until they are ended, and the README's command in the checkout. */
import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { plainEnvironment } from "../support/process/launch.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { fromCheckout, node20, systemPath } from "./installed-commands.ts";
import { root } from "./read-blocks.ts";
import { testStarts } from "./start-blocks.ts";

const nodes = { "Node 24": dirname(process.execPath), ...(node20 !== undefined && { "Node 20": node20 }) };

describe.each(Object.entries(nodes))("by %s", (_name, folderOfNode) => {
  it("npx hearth in the checkout is this Hearth, without the network", () => {
    using folder = temporaryFolder();
    const env = {
      ...plainEnvironment(),
      PATH: [folderOfNode, ...systemPath].join(":"),
      npm_config_cache: folder.path,
      npm_config_offline: "true",
    };
    const help = execFileSync("npx", ["hearth", "--help"], { cwd: root, env, encoding: "utf8" });
    expect(help).toContain("hearth COMMAND --help");
  });

  testStarts(() => ({ ...fromCheckout, node: join(folderOfNode, "node") }), [folderOfNode, ...systemPath]);
});

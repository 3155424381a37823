/** The steps by which every service handles its requests. */
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import type { Middleware, Refuse } from "../../server/http/middleware.ts";
import { below, pipeline } from "../../server/http/pipeline.ts";
import { listen } from "../support/process/listen.ts";

/** Answers what was thrown, once. */
const refuse: Refuse = (error, _req, res) => {
  if (!res.headersSent) res.writeHead(400).end((error as Error).message);
};
const answer: Middleware = (_req, res) => void res.end("answered");
const later: Middleware = async (_req, _res, next) => {
  await setTimeout(1);
  next();
};

/** Status and body of a request's answer. */
async function ask(steps: readonly (Middleware | undefined)[], path = "/"): Promise<[number, string]> {
  await using service = await listen(pipeline(steps, refuse));
  const reply = await fetch(service.url + path);
  return [reply.status, await reply.text()];
}

describe("a pipeline", () => {
  it("runs its steps in order until one answers, and skips those that are left out", async () => {
    const seen: string[] = [];
    const note =
      (name: string): Middleware =>
      (_req, _res, next) => {
        seen.push(name);
        next();
      };
    expect(await ask([note("a"), later, undefined, note("b"), answer, note("c")])).toEqual([200, "answered"]);
    expect(seen).toEqual(["a", "b"]);
  });

  it.each<[string, Middleware]>([
    [
      "at once",
      () => {
        throw new Error("refused");
      },
    ],
    [
      "later",
      async () => {
        await setTimeout(1);
        throw new Error("refused");
      },
    ],
  ])("answers by its refusal what a step throws %s, before and after others that wait", async (_when, step) => {
    expect(await ask([step, answer])).toEqual([400, "refused"]);
    expect(await ask([later, step, answer])).toEqual([400, "refused"]);
    expect(await ask([later, later, step, answer])).toEqual([400, "refused"]);
  });

  it("hides from a step the errors of later steps", async () => {
    const caught: unknown[] = [];
    const watchful: Middleware = async (_req, _res, next) => {
      try {
        await setTimeout(1);
        next();
      } catch (error) {
        caught.push(error);
      }
    };
    const failing: Middleware = () => {
      throw new Error("refused");
    };
    expect(await ask([watchful, failing])).toEqual([400, "refused"]);
    expect(caught).toEqual([]);
  });

  it("refuses what a step throws after it has passed the request on, and the next step has run once", async () => {
    let runs = 0;
    const counted: Middleware = async () => {
      runs++;
      await Promise.resolve();
    };
    const failing: Middleware = async (_req, _res, next) => {
      await setTimeout(1);
      next();
      throw new Error("too late");
    };
    expect(await ask([failing, counted])).toEqual([400, "too late"]);
    expect(runs).toBe(1);
  });

  it.each<[string, Middleware]>([
    [
      "at once",
      (_req, _res, next) => {
        next();
        next();
      },
    ],
    [
      "later",
      async (_req, _res, next) => {
        next();
        await setTimeout(1);
        next();
      },
    ],
  ])("refuses a step that passes a request on twice %s, and runs the next one once", async (_when, twice) => {
    const runs = { next: 0, last: 0 };
    const waits: Middleware = (_req, _res, next) => {
      if (++runs.next > 1) next();
    };
    const last: Middleware = (_req, res) => {
      runs.last++;
      res.end();
    };
    expect(await ask([twice, waits, last])).toEqual([400, "step 1 of the pipeline has called next twice"]);
    expect(runs).toEqual({ next: 1, last: 0 });
  });

  it.each<[string, Middleware[]]>([
    ["at once", []],
    ["later", [later]],
  ])("refuses what its refusal throws %s, and leaves the client when that throws, too", async (_when, before) => {
    const failing: Middleware = () => {
      throw new Error("first");
    };
    for (const failures of [1, 2]) {
      let count = 0;
      const refuseLater: Refuse = (error, req, res) => {
        if (++count <= failures) throw new Error(`failure ${String(count)}`);
        refuse(error, req, res);
      };
      await using service = await listen(pipeline([...before, failing], refuseLater));
      const reply = fetch(service.url).then(async (response) => [response.status, await response.text()]);
      if (failures === 1) expect(await reply).toEqual([400, "failure 1"]);
      else await expect(reply).rejects.toThrow("fetch failed");
    }
  });

  it("refuses a request that no step answers, instead of leaving it open", async () => {
    expect(await ask([later], "/nowhere?a=1")).toEqual([400, "no step of the pipeline answers GET /nowhere"]);
  });
});

describe("a step below a path", () => {
  it.each(["/console", "/console/", "/CONSOLE/api", "/console?a=1", "/Console/a?b=/c"])("is for %s", async (path) => {
    expect(await ask([below("/console", answer)], path)).toEqual([200, "answered"]);
  });

  it.each(["/", "/consolex", "/api/console", "/?/console", "/consol"])("is not for %s", async (path) => {
    const passedBy: Middleware = (_req, res) => void res.end("passed by");
    expect(await ask([below("/console", answer), passedBy], path)).toEqual([200, "passed by"]);
  });
});

/** `App`, `Page`, `getApp` and `getCurrentPages`: enough for a program's logic, without templates. */
import type { ProgramFrame, WxApp, WxPage } from "./api/program.ts";
import type { LaunchOptions } from "./api/system.ts";

/** The names and indexes of a path such as `items[0].title`. */
const stepsOf = (path: string) => path.split(/[.[\]]/).filter((step) => step !== "");

function setAt(data: Record<string, unknown>, path: string, value: unknown): void {
  const steps = stepsOf(path);
  const last = steps.pop();
  if (last === undefined) return;
  let place = data;
  for (const [at, step] of steps.entries()) {
    const next = steps[at + 1] ?? last;
    place = (place[step] ??= /^\d+$/.test(next) ? [] : {}) as Record<string, unknown>;
  }
  place[last] = value;
}

type Members = Record<string, unknown>;

function callIn(target: Members, name: string, ...values: unknown[]): void {
  const method = target[name];
  if (typeof method === "function") Reflect.apply(method, target, values);
}

/** @param launch how the program was opened */
export function programFrame(launch: LaunchOptions): ProgramFrame {
  let app: WxApp = {};
  const pages: WxPage[] = [];
  return {
    App(definition) {
      app = { ...definition };
      for (const name of ["onLaunch", "onShow"]) callIn(app, name, structuredClone(launch));
    },
    Page(definition) {
      const page: WxPage = {
        ...definition,
        data: structuredClone((definition as { data?: Members }).data ?? {}),
        route: launch.path,
        setData(change, callback) {
          for (const [path, value] of Object.entries(change)) setAt(page.data, path, value);
          if (callback) queueMicrotask(callback);
        },
      };
      pages.push(page);
      callIn(page, "onLoad", structuredClone(launch.query));
      for (const name of ["onShow", "onReady"]) callIn(page, name);
    },
    getApp: () => app,
    getCurrentPages: () => [...pages],
  };
}

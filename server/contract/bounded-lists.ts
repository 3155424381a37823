/** Lists and records for what strangers send: a body of a million wrong items would take a gigabyte of problems. */
import { z } from "zod";

/** Nobody reads more of one list. */
export const mostProblems = 100;

const BoundedList = z.core.$constructor<z.ZodArray>("BoundedList", (inst, def) => {
  z.ZodArray.init(inst, def);
  const parse = inst._zod.parse.bind(inst._zod);
  const most = Math.min(...z.core.util.sizeCaps(def.checks).map(([size]) => size));
  inst._zod.parse = (payload, context) => {
    const items: unknown = payload.value;
    // Zod tells of too many items before it looks at one.
    if (!Array.isArray(items) || items.length > most) return parse(payload, context);
    const made = Array<unknown>(items.length);
    for (let at = 0; at < items.length && payload.issues.length < mostProblems; at++) {
      const item = def.element._zod.run({ value: items[at] as unknown, issues: [] }, context) as z.core.ParsePayload;
      payload.issues.push(...z.core.util.prefixIssues(at, item.issues));
      made[at] = item.value;
    }
    payload.value = made;
    return payload;
  };
});

const BoundedRecord = z.core.$constructor<z.ZodRecord>("BoundedRecord", (inst, def) => {
  z.ZodRecord.init(inst, def);
  const parse = inst._zod.parse.bind(inst._zod);
  inst._zod.parse = (payload, context) => {
    const members: unknown = payload.value;
    if (!z.core.util.isPlainObject(members)) return parse(payload, context);
    const made = {};
    for (const name of Object.keys(members)) {
      const member = parse({ value: { [name]: members[name] }, issues: [] }, context) as z.core.ParsePayload;
      payload.issues.push(...member.issues);
      Object.assign(made, member.value);
      if (payload.issues.length >= mostProblems) break;
    }
    payload.value = made;
    return payload;
  };
});

/** As `z.array`, but items after `mostProblems` wrong ones are not judged. */
export const list = <Item extends z.ZodType>(element: Item) =>
  new BoundedList({ type: "array", element }) as unknown as z.ZodArray<Item>;

/** As `z.record` of names that are no enumeration, but members after `mostProblems` wrong ones are not judged. */
export const dictionary = <Name extends z.ZodString, Member extends z.ZodType>(keyType: Name, valueType: Member) =>
  new BoundedRecord({ type: "record", keyType, valueType }) as unknown as z.ZodRecord<Name, Member>;

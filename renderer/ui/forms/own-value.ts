/** A member by a name that somebody else has chosen: `constructor` is none of an object that only inherits it. */
export const ownValue = <Value>(object: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** A member of an object whose names its users choose: `constructor` is one only where somebody has given it. */
export const ownMember = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined;

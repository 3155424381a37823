/** A member of an object whose names its users choose: `constructor` counts only as an own member. */
export const ownMember = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? (object as Readonly<Record<string, unknown>>)[name] : undefined;

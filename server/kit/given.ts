/** What is given but undefined is not given. */
export const definedOptions = <Options extends object>(options: Options): Partial<Options> =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<Options>;

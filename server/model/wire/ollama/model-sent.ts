interface Named {
  readonly model: string | undefined;
  readonly name: string | undefined;
}

/** The model of a request; `name` is its older spelling. Go's clients write both, and the one that is not set is empty. */
export const modelSent = ({ model, name }: Named): string => model || name || "";

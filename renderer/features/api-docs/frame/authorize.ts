/** The way to authorise by a session's token, as the description calls it. */
const scheme = "sessionToken";

/** The interface that the description page exposes on its window. */
interface DescriptionUi {
  preauthorizeApiKey(scheme: string, value: string): void;
  specSelectors: { specJson(): { getIn(path: readonly string[]): unknown } };
  getStore(): { subscribe(listener: () => void): () => void };
}

/** Sends the token with tried operations, once the description is loaded. Returns a function that gives up. */
export function authorize(token: string): () => void {
  const { ui } = window as { ui?: DescriptionUi };
  if (!ui) return () => {};
  let isDone = false;
  const attempt = () => {
    if (isDone || ui.specSelectors.specJson().getIn(["components", "securitySchemes", scheme]) === undefined) return;
    // Before the call, which changes the store, too.
    isDone = true;
    ui.preauthorizeApiKey(scheme, token);
  };
  const stop = ui.getStore().subscribe(attempt);
  attempt();
  return stop;
}

/** Code that is fetched when it is needed, and again until it is there: the server that has it may be away. */
import { lazy, useEffect, useEffectEvent, type FunctionComponent, type LazyExoticComponent } from "react";

const againMs = 1_000;
const again = () => new Promise((resolve) => setTimeout(resolve, againMs));

/** Imports until it succeeds. React, and whoever waits for it, would keep a failure for good. */
export async function untilFetched<File>(load: () => Promise<File>): Promise<File> {
  for (;;) {
    try {
      return await load();
    } catch {
      await again();
    }
  }
}

const serverAnswers = () =>
  fetch("/livez").then(
    ({ ok }) => ok,
    () => false,
  );

/** The same, unless the server answers and has no such file: after an update the page is of an older build. @throws the failure */
export async function unlessGone<File>(load: () => Promise<File>): Promise<File> {
  let isThere = false;
  for (;;) {
    try {
      return await load();
    } catch (failure) {
      if (isThere) throw failure;
      await again();
      isThere = await serverAnswers();
    }
  }
}

/** Fetches the stylesheets that did not come again until they do: an import asks for each only once. */
export function keepFetchingStyles(page: Document): void {
  const fetchAgain = async ({ target: link }: Event) => {
    if (!(link instanceof HTMLLinkElement) || link.rel !== "stylesheet") return;
    await again();
    link.replaceWith(link.cloneNode());
  };
  // Such an error does not bubble.
  page.addEventListener("error", (event) => void fetchAgain(event), { capture: true });
}

/** A component with code of its own, whose file may be fetched before the component is shown. */
export function lazyPart<File, Props extends object>(
  load: () => Promise<File>,
  pick: (file: File) => FunctionComponent<Props>,
): LazyExoticComponent<FunctionComponent<Props>> & { readonly fetch: () => Promise<File> } {
  let file: Promise<File> | undefined;
  const fetch = () => (file ??= untilFetched(load));
  return Object.assign(
    lazy(async () => ({ default: pick(await fetch()) })),
    { fetch },
  );
}

/** A part of a page, which shows that it failed, and how to load it again, where the part's file is gone. */
export const lazyPagePart = <File, Props extends object>(
  load: () => Promise<File>,
  pick: (file: File) => FunctionComponent<Props>,
): LazyExoticComponent<FunctionComponent<Props>> => lazy(async () => ({ default: pick(await unlessGone(load)) }));

/** Fetches parts once the page has nothing else to do, so that they are there also while the server is not. */
export function useFetchedEarly(...parts: readonly { readonly fetch: () => Promise<unknown> }[]): void {
  const fetchAll = useEffectEvent(() => {
    for (const part of parts) void part.fetch();
  });
  // Safari knows no idle time.
  useEffect(() => void (window.requestIdleCallback ?? setTimeout)(() => fetchAll()), []);
}

/** Code that is fetched when it is needed, with retries, because the server may be away. */
import { lazy, useEffect, useEffectEvent, type FunctionComponent, type LazyExoticComponent } from "react";

const againMs = 1_000;
const again = () => new Promise((resolve) => setTimeout(resolve, againMs));

/**
 * Imports until it succeeds. React would keep a failure forever.
 * @throws the failure, where the file still does not come although it is known by now that it is gone
 */
export async function untilFetched<File>(
  load: () => Promise<File>,
  isGone = () => Promise.resolve(false),
): Promise<File> {
  let isKnownGone = false;
  for (;;) {
    try {
      return await load();
    } catch (failure) {
      if (isKnownGone) throw failure;
      await again();
      isKnownGone = await isGone();
    }
  }
}

/** A server that answers lacks only the files of an older build, whose page this is after an update. */
const serverAnswers = () =>
  fetch(import.meta.env.BASE_URL, { method: "HEAD" }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The same, unless the server answers and has no such file. @throws the failure then */
export const unlessGone = <File>(load: () => Promise<File>): Promise<File> => untilFetched(load, serverAnswers);

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

/**
 * The origin of the application server. The server names it in the console's page, which has an origin of its own.
 * Vite's page names none: Vite passes requests for the application server on.
 */
export const appOrigin = document.querySelector<HTMLMetaElement>('meta[name="hearth-app"]')?.content ?? location.origin;

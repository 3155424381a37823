/** The User-Agent of the requests that the application server sends to the provider. */
export const hearthAgent = "Hearth";

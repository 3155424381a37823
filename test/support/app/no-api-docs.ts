/** For a server of which nobody asks for the description of its API. */
export const noApiDocs = { folder: "", configuration: "Release", version: "0.0.0" } as const;

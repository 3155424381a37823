/** The version of Ollama with the same API. Clients compare it with their minimum, and models may require one. */
export const apiVersion = "0.33.0";

/** The file beside the runner's socket that holds the path of the run's data directory. */
export const dataDirNote = "data-dir";

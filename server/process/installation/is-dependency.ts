/** Whether Hearth is a dependency of a project, and neither a checkout nor the desktop program. */
export const isDependency = /[\\/]node_modules[\\/]/.test(import.meta.url);

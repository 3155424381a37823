/** Errors that Python raises, by its names for them. */
export type PythonErrorName =
  | "AssertionError"
  | "AttributeError"
  | "FilterArgumentError"
  | "OverflowError"
  | "SecurityError"
  | "TemplateRuntimeError"
  | "TypeError"
  | "UndefinedError"
  | "ValueError"
  | "ZeroDivisionError";

/** An operation that Jinja2 refuses, too. The message is Python's. */
export class PythonError extends Error {
  override readonly name: PythonErrorName;
  constructor(name: PythonErrorName, message: string) {
    super(message);
    this.name = name;
  }
}

export const typeError = (message: string) => new PythonError("TypeError", message);
export const valueError = (message: string) => new PythonError("ValueError", message);

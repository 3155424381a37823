/**
 * The first message to the process of an instance for tests, from the package in the caller's process, which has not checked
 * them: that would load all settings there, too.
 */
export interface InstanceStart {
  readonly type: "instance";
  /** The settings that its start names, as they were passed. */
  readonly values: Readonly<Record<string, unknown>>;
  /** A folder without a configuration file. */
  readonly folder: string;
  /** The run's console token. */
  readonly token: string;
  /** Variables of the caller's environment that may be secrets. */
  readonly variables: Readonly<Record<string, string>>;
}

/** The code of its failure when an option is not valid. The message is for the caller, as it is. */
export const optionCode = "bad_option";

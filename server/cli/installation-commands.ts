/** The commands about the installation and its data. */
import { backupInput, restoreInput } from "./backup/backup-inputs.ts";
import { command, type Command } from "./command.ts";
import { doctorInput } from "./doctor/doctor-input.ts";
import { migrateInput } from "./migrate/migrate-input.ts";
import { uninstallInput } from "./uninstall-input.ts";

export const installationCommands: readonly Command[] = [
  command({
    name: "doctor",
    group: "Installation and data",
    summary: "check installation, ports, disk, databases, uploads and models without changing anything",
    input: doctorInput,
    load: async () => (await import("./doctor/doctor.ts")).doctor,
  }),
  command({
    name: "backup",
    group: "Installation and data",
    summary: "back up all data into one file, also while Hearth runs",
    input: backupInput,
    load: async () => (await import("./backup/backup-command.ts")).backUp,
  }),
  command({
    name: "restore",
    group: "Installation and data",
    summary: "replace the data directory's data with a backup, and keep a copy",
    input: restoreInput,
    load: async () => (await import("./backup/backup-command.ts")).restoreData,
  }),
  command({
    name: "migrate",
    group: "Installation and data",
    summary: "copy this machine's data into a PostgreSQL database",
    input: migrateInput,
    load: async () => (await import("./migrate/migrate-command.ts")).migrateData,
  }),
  command({
    name: "uninstall",
    group: "Installation and data",
    summary: "remove the command and the start at login, and ask about the data",
    input: uninstallInput,
    load: async () => (await import("./uninstall.ts")).uninstall,
  }),
];

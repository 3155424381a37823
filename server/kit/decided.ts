/** Settings that the package sets itself. */
export const decided = {
  headless: true,
  data_dir: true,
  app_port: true,
  console_port: true,
  provider_port: true,
  model_port: true,
  open: true,
  ready_file: true,
  update_url: true,
  update_backup: true,
} as const;

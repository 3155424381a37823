import js from "@eslint/js";
import prettier from "eslint-config-prettier";
import reactHooks from "eslint-plugin-react-hooks";
import tseslint from "typescript-eslint";

const noBarrels = { selector: "ExportAllDeclaration", message: "Import from the file itself: no barrels." };
const noRawPrints = {
  selector: "CallExpression[callee.property.name='write'][callee.object.property.name=/^std(out|err)$/]",
  message: "Print by server/process/terminal/print-text.ts: foreign text may hold what a terminal obeys.",
};

const onePatience = ["waitFor", "waitUntil"].map((property) => ({
  object: "vi",
  property,
  message: "Wait by test/support/eventually.ts or expect.poll: a second is too short on a busy machine.",
}));

const oneRename = {
  paths: [
    { name: "node:fs", importNames: ["renameSync"] },
    { name: "node:fs/promises", importNames: ["rename"] },
  ].map((path) => ({
    ...path,
    message: "Rename by server/file-system/rename-file.ts: Windows refuses some for a moment.",
  })),
};

export default tseslint.config(
  { ignores: ["dist/", "release/", ".cache/", "test-results/", "**/node_modules/"] },
  js.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      "@typescript-eslint/switch-exhaustiveness-check": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "@typescript-eslint/only-throw-error": "error",
      "@typescript-eslint/require-await": "off",
      "max-lines": ["error", { max: 250, skipBlankLines: true, skipComments: true }],
      "no-console": "error",
      "no-restricted-syntax": ["error", noBarrels],
    },
  },
  {
    files: ["server/**", "electron/**"],
    rules: { "no-restricted-syntax": ["error", noBarrels, noRawPrints], "no-restricted-imports": ["error", oneRename] },
  },
  { files: ["server/file-system/**"], rules: { "no-restricted-imports": "off" } },
  { files: ["test/**"], rules: { "no-restricted-properties": ["error", ...onePatience] } },
  {
    files: [
      "server/cli.ts",
      "build/**",
      "docs/examples/**",
      "test/bench/**",
      "test/faults/suite/**",
      "test/instances/suite/**",
    ],
    rules: { "no-console": "off" },
  },
  { files: ["renderer/**"], ...reactHooks.configs.flat["recommended-latest"] },
  {
    files: ["test/**"],
    rules: {
      "@typescript-eslint/no-unsafe-argument": "off",
      "@typescript-eslint/no-unsafe-assignment": "off",
      "@typescript-eslint/no-unsafe-call": "off",
      "@typescript-eslint/no-unsafe-member-access": "off",
      "@typescript-eslint/no-unsafe-return": "off",
    },
  },
  // Plain JavaScript: configuration files, and the pre-script that runs before anything is installed.
  {
    files: ["**/*.js", "**/*.mjs", "**/*.cjs"],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: {
      ...tseslint.configs.disableTypeChecked.languageOptions,
      globals: {
        process: "readonly",
        console: "readonly",
        URL: "readonly",
        module: "writable",
        setTimeout: "readonly",
        fetch: "readonly",
        setInterval: "readonly",
        clearInterval: "readonly",
      },
    },
  },
  prettier,
);

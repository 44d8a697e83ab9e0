import hooks from "eslint-plugin-react-hooks";
import { defineConfig } from "eslint/config";
import ts from "typescript-eslint";

export default defineConfig(
  { ignores: [".next/", "next-env.d.ts", "node_modules/"] },
  ts.configs.recommendedTypeChecked,
  { languageOptions: { parserOptions: { projectService: true } } },
  hooks.configs.flat.recommended,
  {
    rules: {
      "@typescript-eslint/no-floating-promises": ["error", { allowForKnownSafeCalls: [{ from: "package", name: "test", package: "node:test" }] }],
      "@typescript-eslint/no-misused-promises": ["error", { checksVoidReturn: { attributes: false, arguments: false } }],
      "@typescript-eslint/require-await": "off", // an action and a page are asynchronous, whatever they do
    },
  },
  { files: ["**/*.js"], extends: [ts.configs.disableTypeChecked] },
);

// Few rules: those that find faults. prettier (.prettierrc.json) decides about the form.
import hooks from "eslint-plugin-react-hooks";
import { configs, plugin } from "typescript-eslint";

export default [
  { ignores: ["**/dist/", "**/node_modules/", "clients/typescript/src/api.ts"] },
  ...configs.recommended,
  {
    plugins: { "react-hooks": hooks, "@typescript-eslint": plugin },
    rules: {
      "react-hooks/rules-of-hooks": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "@typescript-eslint/no-empty-object-type": "off",
      // Where the compiler cannot know what a test has shown, ! says so.
      "@typescript-eslint/no-non-null-assertion": "off",
      "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    },
  },
];

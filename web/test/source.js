import { build } from "esbuild";

const src = new URL("../src/", import.meta.url).pathname;

/** A module of src, as the browser gets it, in English. */
export async function source(path) {
  const contents = `
    import { english } from "./texts/english.js";
    import { speakIn } from "./shared/t.js";
    export * from "./${path}";
    speakIn(english, "en-IE");`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: src },
    bundle: true,
    format: "esm",
    target: "es2023",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

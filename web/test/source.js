import { build } from "esbuild";

/** A module of src, as the browser gets it. */
export async function source(path) {
  const { outputFiles } = await build({
    entryPoints: [new URL(`../src/${path}`, import.meta.url).pathname],
    bundle: true,
    format: "esm",
    target: "es2023",
    write: false,
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

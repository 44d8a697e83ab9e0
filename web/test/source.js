import { build } from "esbuild";

const web = new URL("../", import.meta.url).pathname;

/** The folders of the two pages, and what their parts of shared are found by. */
const pages = { shop: ["src/", "tsconfig.json"], desk: ["src/desk/", "tsconfig.desk.json"] };

/** A module of a page's folder, as the browser gets it, in English. */
export async function source(path, page = "shop") {
  const [folder, tsconfig] = pages[page];
  const contents = `
    import { english } from "app/texts/english.js";
    import { speakIn } from "${web}src/shared/t.js";
    export * from "./${path}";
    speakIn(english, "en-IE");`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: web + folder, loader: "ts" },
    bundle: true,
    format: "esm",
    target: "es2023",
    write: false,
    tsconfig: web + tsconfig,
    define: { DESK: '{"locale":"en-IE","currency":"EUR"}' },
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

// Builds the shop and the desk: node build.mjs [FOLDER]. Writes each file, compressed, into the folder (dist).
// SHOP_KEY, SHOP_API, SHOP_LOCALE and SHOP_CURRENCY of the environment are described in src/config.ts.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = process.argv[2] ?? join(here, "dist");

const { env } = process;
const config = {
  key: env.SHOP_KEY ?? "demo-storefront-key",
  api: env.SHOP_API ?? "",
  locale: env.SHOP_LOCALE ?? "en-IE",
  currency: env.SHOP_CURRENCY ?? "EUR",
};

const options = {
  absWorkingDir: here,
  outdir: target,
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  charset: "utf8",
  format: "esm",
  target: "es2022",
  legalComments: "none",
  define: { SHOP: JSON.stringify(config) },
};
// The shop's script comes in parts: what every view needs, and what only some need.
const parts = await build({
  ...options,
  entryPoints: { shop: "src/main.tsx", payment: "src/payment.tsx" },
  splitting: true,
  chunkNames: "[name]-[hash]",
});
// The desk's files are in a folder of their own. What it shares with the shop gets its own parts as app/….
const desk = await build({
  ...options,
  outdir: join(target, "desk"),
  tsconfig: join(here, "tsconfig.desk.json"),
  define: { DESK: JSON.stringify({ locale: config.locale, currency: config.currency }) },
  entryPoints: { desk: "src/desk/main.tsx" },
  splitting: true,
  chunkNames: "[name]-[hash]",
});
const deskStyle = await build({ ...options, outdir: join(target, "desk"), entryPoints: { style: "src/desk/style/style.css" } });
const whole = await build({ ...options, entryPoints: { style: "src/style/style.css" } });
const outputFiles = [...parts.outputFiles, ...whole.outputFiles, ...desk.outputFiles, ...deskStyle.outputFiles];

const files = new Map(outputFiles.map(({ path, contents }) => [path.slice(target.length + 1), Buffer.from(contents)]));
for (const picture of readdirSync(join(here, "pictures"))) {
  if (picture.endsWith(".svg")) files.set(`pictures/${picture}`, svg(join(here, "pictures", picture)));
}
files.set("icon.svg", svg(join(here, "src/icon.svg")));
files.set("desk/icon.svg", files.get("icon.svg"));
files.set("robots.txt", readFileSync(join(here, "src/robots.txt")));

/** The parts that a page's script imports, which every view needs: the page asks for them together with it. */
function needed({ metafile: { outputs } }, script) {
  const at = (file) => join(here, file).slice(target.length + 1);
  const own = Object.keys(outputs).find((file) => at(file) === script);
  const found = new Set();
  const follow = (file) => {
    for (const { path, kind } of outputs[file].imports) {
      if (kind !== "import-statement" || found.has(path)) continue;
      found.add(path);
      follow(path);
    }
  };
  follow(own);
  return [...found].map(at);
}

/** What each page asks for. */
const pages = {
  "index.html": needed(parts, "shop.js"),
  "payment.html": needed(parts, "payment.js"),
  "desk/index.html": needed(desk, "desk/desk.js"),
};

// A page names the version of its files, because browsers keep these for an hour. The parts have theirs in their names.
for (const [name, shared] of Object.entries(pages)) {
  const page = readFileSync(join(here, "src", name), "utf8")
    .replace(/"\/([\w./]+\.\w+)"/g, (_, file) => `"/${file}?${version(files.get(file))}"`)
    .replace("<!-- parts -->", () => shared.map((file) => `<link rel="modulepreload" href="/${file}" />`).join(""));
  files.set(name, Buffer.from(page));
}

rmSync(target, { recursive: true, force: true });
for (const [name, content] of files) {
  const path = `${join(target, name)}.gz`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, gzipSync(content, { level: 9 }));
}

/** A drawing without the space between its elements. */
function svg(path) {
  return Buffer.from(readFileSync(path, "utf8").replace(/>\s+</g, "><").trim());
}

function version(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 8);
}

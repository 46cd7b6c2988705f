// Bundles the page's scripts and styles: `node build.mjs FOLDER`.
// Bundles unit tests for Node's runner: `node build.mjs --tests FOLDER TEST...`.

import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "acorn";
import { simple } from "acorn-walk";
import { build } from "esbuild";

const www = fileURLToPath(new URL(".", import.meta.url));

const shared = {
  absWorkingDir: www,
  bundle: true,
  charset: "utf8",
  format: "esm",
  logLevel: "warning",
  target: "es2022",
};

/** An imported style sheet is its bundled, minified text: the element adopts it, and no `<style>` is ever written. */
const sheetsAsText = {
  name: "sheets-as-text",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { outputFiles, metafile } = await build({
        absWorkingDir: www,
        bundle: true,
        charset: "utf8",
        entryPoints: [path],
        logLevel: "warning",
        metafile: true,
        minify: true,
        target: "es2022",
        write: false,
      });
      return { contents: outputFiles[0].text.trimEnd(), loader: "text", watchFiles: Object.keys(metafile.inputs) };
    });
  },
};

/** The bindings look for the wasm under the name that it has on the page. */
const wasmByItsName = {
  name: "wasm-by-its-name",
  setup({ onLoad }) {
    onLoad({ filter: /bindings[\\/]partition-web\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replaceAll("partition-web_bg.wasm", "pod.wasm"), loader: "js" };
    });
  },
};

/** Lit's templates with their line breaks and indents as the one space that HTML reads them as; no minifier looks into them. */
function withoutIndents(code) {
  const texts = [];
  const collect = ({ quasi }) => texts.push(...quasi.quasis);
  simple(parse(code, { ecmaVersion: "latest", sourceType: "module" }), { TaggedTemplateExpression: collect });
  texts.sort((a, b) => a.start - b.start);
  let [out, from] = ["", 0];
  for (const { start, end } of texts) {
    out += code.slice(from, start) + code.slice(start, end).replace(/\s+/g, " ");
    from = end;
  }
  return out + code.slice(from);
}

async function page(folder) {
  // Names without hashes: Trunk and xtask build the same files, and hosts copy them by name.
  const { outputFiles, metafile } = await build({
    ...shared,
    chunkNames: "pod-[name]",
    entryPoints: ["src/pod.ts", "src/page.ts"],
    legalComments: "linked",
    metafile: true,
    minify: true,
    outdir: folder,
    plugins: [sheetsAsText, wasmByItsName],
    splitting: true,
    write: false,
  });
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, path.endsWith(".js") ? withoutIndents(text) : text);
  }
  for (const [name, { imports }] of Object.entries(metafile.outputs)) {
    const second = imports.find(({ kind }) => kind === "import-statement");
    if (second) throw new Error(`${name} imports ${second.path}: one more request before Next answers; see src/first-bundle.ts`);
  }
  await build({ ...shared, entryPoints: ["src/preload.ts"], format: "iife", minify: true, outfile: `${folder}/preload.js` });
  // Of the diagram's rules the page's HTML chooses what it needs, see crates/xtask/src/page/marks.rs.
  const diagram = { in: "../crates/partition-figure/src/diagram.css", out: "diagram" };
  await build({ ...shared, entryPoints: [{ in: "css/pod.css", out: "pod" }, diagram], minify: true, outdir: folder });
}

async function tests(folder, entryPoints) {
  await build({
    ...shared,
    entryPoints,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    platform: "node",
    plugins: [sheetsAsText, wasmByItsName],
    sourcemap: "inline",
  });
}

const [first, ...rest] = process.argv.slice(2);
// What esbuild finds wrong it has printed, with its place.
const failed = (error) => {
  if (!error.errors) console.error(error.message);
  process.exit(1);
};
if (first === "--tests") {
  await tests(rest[0], rest.slice(1)).catch(failed);
} else {
  await page(first).catch(failed);
}

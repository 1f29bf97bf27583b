/** Bundles the dashboard into files that the gateway serves: `bun packages/dashboard/build.ts`, or `build(folder)`. */
import { existsSync } from "node:fs";
import { access, constants as files, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { BunPlugin } from "bun";
import tailwind from "bun-plugin-tailwind";
import { minify } from "oxc-minify";
import subsetFont from "subset-font";

import { DASHBOARD_DIR } from "./folder.ts";

const ROOT = import.meta.dir;
const FONT = fileURLToPath(
  import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
);

/** Formats that are compressed already. */
const COMPRESSED = /\.(woff2|png)$/;

/** Characters of each font file: those of every page, and others, which browsers load for names with accents. */
const CHARACTERS: Readonly<Record<string, string>> = {
  "inter.woff2": `${range(0x20, 0x7e)}–’…→·≈−`,
  "inter-accents.woff2": `${range(0xa0, 0xff)}—‘“”•€≤≥`,
};
/** Weights of the style sheet, from normal to semibold. */
const WEIGHTS = { min: 400, max: 600 };
const FONT_FEATURES = ["kern", "liga", "tnum", "cv05", "cv11", "ss03"];

function range(first: number, last: number): string {
  return String.fromCodePoint(...Array.from({ length: last - first + 1 }, (_, at) => first + at));
}

/** Cuts the font down to what the dashboard uses, because it is a large part of the first load. */
const smallFonts: BunPlugin = {
  name: "small fonts",
  setup(builder) {
    builder.onResolve({ filter: /^font:/ }, ({ path }) => ({
      path: path.slice("font:".length),
      namespace: "font",
    }));
    builder.onLoad({ filter: /\.woff2$/, namespace: "font" }, async ({ path }) => ({
      contents: await subsetFont(Buffer.from(await Bun.file(FONT).bytes()), CHARACTERS[path] ?? "", {
        targetFormat: "woff2",
        variationAxes: { wght: WEIGHTS },
        keepFeatures: FONT_FEATURES,
      }),
      loader: "file",
    }));
  },
};

/** Leaves out what no browser needs: the router's code for servers, and a stand-in for a hook that React has. */
const browserOnly: BunPlugin = {
  name: "browser only",
  setup(builder) {
    // The bundler doesn't inline the constant that the modules import.
    builder.onLoad(
      { filter: /\/@tanstack\/(?:react-router|router-core)\/dist\/.*\.js$/ },
      async ({ path }) => ({
        contents: (await Bun.file(path).text()).replaceAll(/\bisServer \?\? /g, "false ?? "),
        loader: "js",
      }),
    );
    builder.onLoad({ filter: /\/use-sync-external-store\/shim\/index\.js$/ }, () => ({
      contents: 'exports.useSyncExternalStore = require("react").useSyncExternalStore;',
      loader: "js",
    }));
  },
};

/** Scripts that are loaded later. */
const LATER =
  /\/src\/(?:pages\/(?:rest|posture\/(?:charts|checklist))|session\/(?:sign-in|new-organization)|shell\/palette|ui\/open-menu)\.tsx?$/;

/**
 * Makes each later script depend on the first one. Otherwise, the bundler puts what they share with it into several
 * files, which compress less well than one.
 */
const oneFirstScript: BunPlugin = {
  name: "one first script",
  setup(builder) {
    builder.onLoad({ filter: LATER }, async ({ path }) => ({
      contents: `import ${JSON.stringify(join(ROOT, "src/main.tsx"))};\n${await Bun.file(path).text()}`,
      loader: path.endsWith("x") ? "tsx" : "ts",
    }));
  },
};

/**
 * Builds the dashboard.
 * @throws {Error} when the user may not write; {AggregateError} with the bundler's errors
 */
export async function build(folder: string = DASHBOARD_DIR): Promise<void> {
  for (const path of [dirname(folder), folder]) if (existsSync(path)) await checkWritable(path);
  const fresh = `${folder}.${process.pid}`;
  await rm(fresh, { recursive: true, force: true });
  if (ROOT.includes("#")) throw new Error(`the bundler reads no path with a # in it: move ${ROOT}`);
  const { outputs } = await Bun.build({
    entrypoints: [join(ROOT, "index.html")],
    outdir: fresh,
    minify: true,
    splitting: true,
    publicPath: "/", // pages have paths of any depth
    define: { "process.env.NODE_ENV": '"production"' },
    naming: { chunk: "assets/[name]-[hash].[ext]", asset: "assets/[name]-[hash].[ext]" },
    plugins: [tailwind, smallFonts, browserOnly, oneFirstScript],
  });
  for (const { path } of outputs.filter(({ path }) => path.endsWith(".js"))) await minifyAgain(path);
  await Promise.all(outputs.map(({ path }) => compress(path)));
  await mkdir(dirname(folder), { recursive: true });
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

async function checkWritable(folder: string): Promise<void> {
  await access(folder, files.W_OK).catch((cause: unknown) => {
    throw new Error(`can't write to ${folder}: give it to the user who runs this`, { cause });
  });
}

/**
 * Minifies what the bundler has minified: that makes it 5 % smaller, compressed. No module reads a property only for
 * its side effects.
 */
async function minifyAgain(path: string): Promise<void> {
  const { code, errors } = await minify(path, await Bun.file(path).text(), {
    module: true,
    compress: { treeshake: { propertyReadSideEffects: false } },
  });
  if (errors.length > 0) throw new AggregateError(errors, `can't minify ${path}`);
  await Bun.write(path, code);
}

/** Writes a compressed copy beside a file, so that it is compressed once instead of per request. */
async function compress(path: string): Promise<void> {
  if (COMPRESSED.test(path)) return;
  const bytes = await Bun.file(path).bytes();
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await Bun.write(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  await Bun.write(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

if (import.meta.main) await build();

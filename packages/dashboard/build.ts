/** Bundles the dashboard into files that the gateway serves: `bun packages/dashboard/build.ts`, or `build(folder)`. */
import { existsSync } from "node:fs";
import { access, constants as files, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { BunPlugin } from "bun";
import tailwind from "bun-plugin-tailwind";
import subsetFont from "subset-font";

import { DASHBOARD_DIR } from "./folder.ts";

const ROOT = import.meta.dir;

/** Formats that are compressed already. */
const COMPRESSED = /\.(woff2|png)$/;

/** Characters that are shown in the dashboard's font: Latin-1, and the punctuation and signs of its texts. */
const CHARACTERS = `${String.fromCodePoint(
  ...Array.from({ length: 0x100 }, (_, code) => code).filter((code) => code >= 0x20),
)}–—‘’“”•…€→−≈≤≥`;
/** Weights of the style sheet, from normal to bold. */
const WEIGHTS = { min: 400, max: 700 };
const FONT_FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk", "tnum", "cv05", "cv11", "ss03"];

/** Cuts a font down to what the dashboard uses, because it is a large part of the first load. */
const smallFonts: BunPlugin = {
  name: "small fonts",
  setup(builder) {
    builder.onLoad({ filter: /\.woff2$/ }, async ({ path }) => ({
      contents: await subsetFont(Buffer.from(await Bun.file(path).bytes()), CHARACTERS, {
        targetFormat: "woff2",
        variationAxes: { wght: WEIGHTS },
        keepFeatures: FONT_FEATURES,
      }),
      loader: "file",
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
    plugins: [tailwind, smallFonts],
  });
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

/** Writes a compressed copy beside a file, so that it is compressed once instead of per request. */
async function compress(path: string): Promise<void> {
  if (COMPRESSED.test(path)) return;
  const bytes = await Bun.file(path).bytes();
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  await Bun.write(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  await Bun.write(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
}

if (import.meta.main) await build();

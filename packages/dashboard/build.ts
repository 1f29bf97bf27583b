/** Bundles the dashboard into files that the gateway serves: `bun packages/dashboard/build.ts`, or `build(folder)`. */
import { existsSync } from "node:fs";
import { access, constants as files, mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import tailwind from "bun-plugin-tailwind";

import { DASHBOARD_DIR } from "./folder.ts";

const ROOT = import.meta.dir;

/** Formats that are compressed already. */
const COMPRESSED = /\.(woff2|png)$/;

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
    plugins: [tailwind],
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

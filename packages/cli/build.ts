/** Bundles the command line into an npm package: `bun packages/cli/build.ts [FOLDER]`. */
import { chmod, copyFile, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";

import { CLI_DIR, PROGRAM } from "./folder.ts";
import manifest from "./package.json" with { type: "json" };

const MAIN = join(import.meta.dir, "src/main.ts");
const LICENSE = join(import.meta.dir, "../../LICENSE");

/** Systems that have an executable. The ones with `musl` run on Alpine. */
export const TARGETS = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
  "windows-arm64",
] as const;
export type Target = (typeof TARGETS)[number];

/**
 * Writes the package that npm publishes: one program without dependencies, and its SHA-256 for `sha256sum -c`.
 * @throws {AggregateError} with the bundler's errors
 */
export async function buildPackage(folder: string = CLI_DIR): Promise<void> {
  const fresh = `${folder}.${process.pid}`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true });
  await Bun.build({
    entrypoints: [MAIN],
    outdir: fresh,
    naming: PROGRAM,
    target: "node",
    format: "cjs", // runs on every Node.js under any file name
    minify: { whitespace: true, syntax: true }, // names stay, for the stack of a bug
  });
  const program = join(fresh, PROGRAM);
  await chmod(program, 0o755);
  const digest = new Bun.CryptoHasher("sha256").update(await Bun.file(program).bytes()).digest("hex");
  await Bun.write(`${program}.sha256`, `${digest}  ${PROGRAM}\n`);
  await Bun.write(join(fresh, "package.json"), `${JSON.stringify(published(), null, 2)}\n`);
  await copyFile(join(import.meta.dir, "README.md"), join(fresh, "README.md"));
  await copyFile(LICENSE, join(fresh, "LICENSE"));
  await rm(folder, { recursive: true, force: true });
  await rename(fresh, folder);
}

/** Returns the published `package.json`: facts of ours, without what only the repository needs. */
function published(): object {
  const { name, version, description, license, engines } = manifest;
  return {
    name,
    version,
    description,
    license,
    engines,
    type: "commonjs",
    bin: { leeway: PROGRAM },
    files: [PROGRAM],
  };
}

/**
 * Writes an executable that needs no runtime. Bun fetches the runtime of another system from npm.
 * @param target by default this machine
 * @throws {AggregateError} with the bundler's errors
 */
export async function buildExecutable(outfile: string, target?: Target): Promise<void> {
  await Bun.build({
    entrypoints: [MAIN],
    // Settings in the working directory belong to the user's project.
    compile: {
      outfile,
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target && { target: `bun-${target}` }),
    },
  });
}

if (import.meta.main) await buildPackage(process.argv[2]);

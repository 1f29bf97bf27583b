import { isObject, text } from "@leeway/shared/values/json";
import { SQL } from "bun";
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import {
  chown,
  copyFile,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { run, succeeds } from "./command.ts";
import { postgresBinaries, runnable } from "./postgres-binaries.ts";
import { postgresUser } from "./postgres-user.ts";
import { THROW_AWAY, type Postgres, startPostgres } from "./postgres.ts";
import { inspectProcess } from "./process.ts";
import { makeTestFolder } from "./test-folder.ts";

let dir: string;

beforeAll(async () => {
  dir = await makeTestFolder();
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const start = (folder = dir): Promise<Postgres> =>
  startPostgres({ dir: folder, database: "leeway", settings: THROW_AWAY });

async function query(url: string, statement: string): Promise<unknown> {
  await using sql = new SQL(url, { max: 1 });
  return (await sql.unsafe(statement))[0];
}

/** Another user, and a bun that this user can run, if we may switch users. */
const nobody = { uid: 65_534, gid: 65_534 };
const isRoot = process.getuid?.() === 0;
const bun = join(import.meta.dir, "../../node_modules/.bin/bun");
const canBeNobody = isRoot && (await succeeds([bun, "--version"], { as: nobody }));

describe("the embedded PostgreSQL", () => {
  test("uses UTF-8, sorts by byte, requires a password and listens locally only", async () => {
    const postgres = await start();
    expect(
      await query(
        postgres.url,
        `select pg_encoding_to_char(encoding) as encoding, datcollate as collation,
                current_setting('listen_addresses') as host, current_setting('unix_socket_directories') as socket
           from pg_database where datname = current_database()`,
      ),
    ).toEqual({ encoding: "UTF8", collation: "C", host: "127.0.0.1", socket: "" });

    const wrong = new URL(postgres.url);
    wrong.password = "guess";
    expect(query(wrong.href, "select 1")).rejects.toThrow("password authentication failed");
    expect((await stat(join(dir, "postgres.json"))).mode & 0o777).toBe(0o600);
    await postgres.stop();
    expect(inspectProcess(postgres.identity.pid)).toBeUndefined();
  });

  test("keeps committed data and its port after a kill -9 of the server", async () => {
    const first = await start();
    await query(first.url, "create table kept as select 42 as answer");
    process.kill(first.identity.pid, "SIGKILL");
    await first.exited;
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await query(second.url, "select answer from kept")).toEqual({ answer: 42 });
    await second.stop();
  });

  test("replaces a server left running by a killed process", async () => {
    const left = await start();
    const next = await start();
    expect(inspectProcess(left.identity.pid)).toBeUndefined();
    expect(await query(next.url, "select 1 as one")).toEqual({ one: 1 });
    await next.stop();
  });

  test.each([
    ["another program", "echo $$; exec sleep 60"],
    ["a zombie process", "sleep 0 & echo $!; exec sleep 60"],
  ])("starts although its lock file's pid now belongs to %s", async (_, script) => {
    const first = await start();
    const lock = join(await dataFolderOf(dir), "postmaster.pid");
    const content = await readFile(lock, "utf8");
    process.kill(first.identity.pid, "SIGKILL");
    await first.exited;
    // Runs as PostgreSQL's own user; otherwise PostgreSQL would know that the process isn't a server.
    const options = { ...(await postgresUser()), cwd: "/", stdout: "pipe" } as const;
    const neighbour = Bun.spawn(["sh", "-c", script], options);
    const { value } = await neighbour.stdout.getReader().read();
    const pid = Number(new TextDecoder().decode(value));
    await writeFile(lock, content.replace(/^\d+/, String(pid)));
    const second = await start();
    expect(await query(second.url, "select 1 as one")).toEqual({ one: 1 });
    expect(inspectProcess(neighbour.pid)).toBeDefined();
    await second.stop();
    neighbour.kill("SIGKILL");
  });

  test("starts again after an interrupted first start, and keeps the old files", async () => {
    const folder = join(dir, "cut");
    await mkdir(folder);
    const first = await start(folder);
    await first.stop();
    const data = await dataFolderOf(folder);
    await rm(join(folder, "postgres.json"));
    const second = await start(folder);
    const kept = (await readdir(dirname(data))).filter((name) => name.endsWith(".old"));
    expect(kept).toHaveLength(1);
    expect(await query(second.url, "select 1 as one")).toEqual({ one: 1 });
    await second.stop();
  });

  test("finds its data in a moved folder", async () => {
    const [before, after] = [join(dir, "before"), join(dir, "after")];
    await mkdir(before);
    const first = await start(before);
    await query(first.url, "create table kept as select 42 as answer");
    await first.stop();
    await rename(before, after);
    const second = await start(after);
    expect(await query(second.url, "select answer from kept")).toEqual({ answer: 42 });
    await second.stop();
  });

  test("in a copied folder doesn't touch the original or its server", async () => {
    const [original, copy] = [join(dir, "original"), join(dir, "copy")];
    await mkdir(original);
    await (await start(original)).stop();
    await run(["cp", "-a", original, copy]);
    const [one, other] = [await start(original), await start(copy)];
    await query(other.url, "create table mine as select 1 as one");
    expect(await query(one.url, "select to_regclass('mine')::text as mine")).toEqual({ mine: null });
    await Promise.all([one.stop(), other.stop()]);
  });

  test("refuses a folder copied without its data", async () => {
    const [original, copy] = [join(dir, "whole"), join(dir, "half")];
    await mkdir(original);
    await (await start(original)).stop();
    await mkdir(copy);
    await copyFile(join(original, "postgres.json"), join(copy, "postgres.json"));
    await expect(start(copy)).rejects.toThrow(`${copy} was moved or copied, its data weren't`);
  });

  test("shows its log when it can't start", async () => {
    const folder = join(dir, "wrong");
    await mkdir(folder);
    const wrong = startPostgres({ dir: folder, database: "x", settings: { shared_buffers: "many" } });
    expect(wrong).rejects.toThrow('invalid value for parameter "shared_buffers"');
  });

  test.skipIf(!isRoot)("runs as another user from a folder only root can read (needs root)", async () => {
    const closed = await mkdtemp(join(tmpdir(), "leeway-closed-"));
    const postgres = await start(closed);
    const home = dirname(await dataFolderOf(closed));
    expect(home).toStartWith("/var/lib/leeway/");
    expect(await query(postgres.url, "select 1 as one")).toEqual({ one: 1 });
    await postgres.stop();
    await Promise.all([closed, home].map((path) => rm(path, { recursive: true })));
  });

  test.skipIf(!isRoot)(
    "copies its binaries, links included, when its user can't run them (needs root)",
    async () => {
      const as = await postgresUser();
      const closed = await mkdtemp(join(tmpdir(), "leeway-closed-"));
      await cp(await postgresBinaries(as), join(closed, "native"), {
        recursive: true,
        filter: async (path) => !(await lstat(path)).isSymbolicLink(),
      });
      const copy = await runnable(join(closed, "native"), async () => join(dir, "copy/pg"), as);
      expect(copy).toBe(join(dir, "copy/pg"));
      expect(await run([join(copy, "bin/initdb"), "--version"], { as })).toStartWith(
        "initdb (PostgreSQL) 18",
      );
      await rm(closed, { recursive: true });
    },
  );

  test.skipIf(!canBeNobody)(
    "runs as a user without a home (needs root, and a checkout that others can read)",
    async () => {
      const folder = join(dir, "nobody");
      await mkdir(folder);
      await chown(folder, nobody.uid, nobody.gid);
      const script = `
        const { startPostgres } = await import(${JSON.stringify(join(import.meta.dir, "postgres.ts"))});
        const postgres = await startPostgres({ dir: ${JSON.stringify(folder)}, database: "leeway" });
        await postgres.stop();
        console.log(process.getuid(), postgres.url);
      `;
      const said = await run([bun, "-e", script], { as: nobody, cwd: folder });
      expect(said).toStartWith("65534 postgres://postgres:");
      expect((await stat(await dataFolderOf(folder))).uid).toBe(nobody.uid);
    },
  );
});

async function dataFolderOf(folder: string): Promise<string> {
  const record: unknown = await Bun.file(join(folder, "postgres.json")).json();
  return join((isObject(record) && text(record, "home")) || "", "data");
}

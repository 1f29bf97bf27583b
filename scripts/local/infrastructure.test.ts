import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { isObject, text } from "@leeway/shared/values/json";

import { natsAnswers } from "./nats.ts";
import { answers } from "./postgres.ts";
import { fastestFolder, removeLeftTestFolders } from "./test-folder.ts";

const PRELOAD = join(import.meta.dir, "../test-infrastructure.ts");
const NAMES = ["LEEWAY_TEST_DATABASE_URL", "LEEWAY_TEST_NATS_URL"] as const;
let dir: string;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "leeway-preload-"));
  await writeFile(join(dir, "package.json"), "{}");
});
afterAll(() => rm(dir, { recursive: true, force: true }));

interface TestRun {
  child: Bun.Subprocess<"ignore", "pipe", "pipe">;
  /** All output, once it has ended. */
  output: Promise<string>;
}

/** Runs a new test file with the variables unset. */
async function runTest(body: string, env: Record<string, string> = {}): Promise<TestRun> {
  const file = join(dir, `${crypto.randomUUID()}.test.ts`);
  await writeFile(file, `import { expect, test } from "bun:test";\n${body}`);
  const { [NAMES[0]]: _database, [NAMES[1]]: _nats, ...rest } = process.env;
  const child = Bun.spawn([process.execPath, "test", "--preload", PRELOAD, file], {
    cwd: dir,
    env: { ...rest, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return {
    child,
    output: Promise.all([child.stdout.text(), child.stderr.text()]).then((all) => all.join("")),
  };
}

/** Returns a test that saves both URLs to a file, then runs `then`. */
const savesUrls = (file: string, then: string): string => `
  test("saves the URLs", async () => {
    await Bun.write(${JSON.stringify(file)}, JSON.stringify({
      database: Bun.env.LEEWAY_TEST_DATABASE_URL, nats: process.env["LEEWAY_TEST_NATS_URL"],
    }));
    ${then}
  }, 30_000);`;

async function savedUrls(file: string): Promise<{ database: string; nats: string }> {
  while (!(await Bun.file(file).exists()) || Bun.file(file).size === 0) await Bun.sleep(20);
  const value: unknown = await Bun.file(file).json();
  const object = isObject(value) ? value : {};
  return { database: text(object, "database") ?? "", nats: text(object, "nats") ?? "" };
}

async function bothAnswer({ database, nats }: { database: string; nats: string }): Promise<boolean> {
  const deadline = performance.now() + 1000;
  return (await natsAnswers(nats)) && (await answers(database, () => performance.now() > deadline));
}

async function bothGone(urls: { database: string; nats: string }): Promise<boolean> {
  const deadline = performance.now() + 15_000;
  while ((await natsAnswers(urls.nats)) || (await answers(urls.database, once()))) {
    if (performance.now() > deadline) return false;
    await Bun.sleep(50);
  }
  return true;
}

/** Returns the pid of the process that started the NATS server at `url`. */
async function guardOf(url: string): Promise<number> {
  const { port } = new URL(url);
  for await (const record of new Bun.Glob("leeway-test-*/nats.json").scan({
    cwd: await fastestFolder(),
    absolute: true,
  })) {
    const known: unknown = await Bun.file(record).json();
    if (!isObject(known) || known["port"] !== Number(port)) continue;
    const owner: unknown = await Bun.file(record.replace("nats.json", "owner.json")).json();
    return isObject(owner) ? Number(owner["pid"]) : 0;
  }
  throw new Error(`no folder of the server on port ${port}`);
}

/** Returns a function that returns false the first time and true from then on. */
function once(): () => boolean {
  let asked = 0;
  return () => asked++ > 0;
}

describe("a test process", () => {
  test("starts PostgreSQL and NATS on first use and stops them at its end", async () => {
    const file = join(dir, "ends.json");
    const { output, child } = await runTest(
      savesUrls(file, `while (!(await Bun.file("${file}.go").exists())) await Bun.sleep(20);`),
    );
    const urls = await savedUrls(file);
    expect(await bothAnswer(urls)).toBe(true);
    await writeFile(`${file}.go`, "");
    expect(await child.exited).toBe(0);
    expect(await output).toContain("1 pass");
    expect(await bothGone(urls)).toBe(true);
  });

  test("stops them when it is killed", async () => {
    const file = join(dir, "killed.json");
    const { child } = await runTest(savesUrls(file, "await Bun.sleep(60_000);"));
    const urls = await savedUrls(file);
    expect(await bothAnswer(urls)).toBe(true);
    child.kill("SIGKILL");
    expect(await bothGone(urls)).toBe(true);
  });

  test("whose guard is killed too leaves servers that the next run stops", async () => {
    const file = join(dir, "guard.json");
    const { child } = await runTest(savesUrls(file, "await Bun.sleep(60_000);"));
    const urls = await savedUrls(file);
    const guard = await guardOf(urls.nats);
    process.kill(guard, "SIGKILL");
    child.kill("SIGKILL");
    await child.exited;
    expect(await bothAnswer(urls)).toBe(true);
    await removeLeftTestFolders();
    expect(await bothGone(urls)).toBe(true);
  });

  test("starts neither if it uses neither, and gets the reason when they can't start", async () => {
    const broken = { NATS_SERVER_BIN: "/absent" };
    const { output } = await runTest(
      `test("asks for nothing", () => {});
       test("asks", () => { expect(process.env.LEEWAY_TEST_NATS_URL).toBeString(); });`,
      broken,
    );
    expect(await output).toContain("(pass) asks for nothing");
    expect(await output).toContain("no infrastructure for tests: NATS_SERVER_BIN names /absent");
  });

  test("uses the URLs in its environment", async () => {
    const given = { LEEWAY_TEST_DATABASE_URL: "postgres://given", LEEWAY_TEST_NATS_URL: "nats://given" };
    const { output } = await runTest(
      `test("is given", () => {
        expect(process.env.LEEWAY_TEST_DATABASE_URL).toBe("postgres://given");
        expect(Bun.env["LEEWAY_TEST_NATS_URL"]).toBe("nats://given");
      });`,
      given,
    );
    expect(await output).toContain("1 pass");
  });

  test("can set the URLs itself", async () => {
    const { output } = await runTest(`
      test("sets", () => {
        process.env.LEEWAY_TEST_NATS_URL = "nats://own";
        expect(Bun.env.LEEWAY_TEST_NATS_URL).toBe("nats://own");
      });`);
    expect(await output).toContain("1 pass");
  });
});

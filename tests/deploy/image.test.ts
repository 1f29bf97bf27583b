import { expect, test } from "bun:test";

import { isObject } from "@leeway/shared/json";
import { $, Glob } from "bun";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { read, ROOT } from "../docs/repository.ts";
import { SERVICES, variablesOf } from "./kit.ts";

const DOCKERFILE = await read("Dockerfile");
const IGNORED = await read(".dockerignore");

async function workspacesOf(path: string): Promise<string[]> {
  const { dependencies }: { dependencies?: unknown } = JSON.parse(await read(`${path}/package.json`));
  return isObject(dependencies)
    ? Object.keys(dependencies).filter((name) => name.startsWith("@leeway/"))
    : [];
}

test.each(SERVICES)(
  "%s names every package of ours that it needs, so that its image has them",
  async (service) => {
    const direct = await workspacesOf(`services/${service}`);
    const needed = await Promise.all(direct.map((name) => workspacesOf(name.replace("@leeway", "packages"))));
    expect(direct).toEqual(expect.arrayContaining(needed.flat()));
  },
);

test("images are made on the Bun that the project is tested with", async () => {
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    await read("package.json"),
  );
  expect(DOCKERFILE).toContain(`ARG BASE=oven/bun:${devDependencies["bun"]}-slim\n`);
});

test("every script that the tools' image copies is there, and let through to the build", () => {
  const scripts = [...new Set(DOCKERFILE.match(/scripts\/[\w-]+\.ts/g))];
  expect(scripts).toContain("scripts/migrate.ts");
  expect(scripts.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(IGNORED.match(/(?<=^!)scripts\/.*$/gm)?.toSorted()).toEqual(scripts.toSorted());
});

test("every script that the tools' image has finds what it imports there", async () => {
  const scripts = [...new Set(DOCKERFILE.match(/scripts\/[\w-]+\.ts/g))];
  const texts = await Promise.all(scripts.map(read));
  const imported = texts.flatMap((source) =>
    [...source.matchAll(/from "\.\/(.+)"/g)].map(([, path]) => path),
  );
  expect(imported).toContain("schemas.ts");
  expect(imported.filter((path) => !scripts.includes(`scripts/${path}`))).toEqual([]);
});

test("nothing secret gets into an image: what is let through is named", () => {
  expect(IGNORED.split("\n").find((line) => line !== "" && !line.startsWith("#"))).toBe("*");
  expect(IGNORED).not.toContain("!.env");
});

test.each(["service-files", "tools-files"])(
  "what %s are made of a checkout that its owner alone may read, an image's user can read",
  async (stage) => {
    const folder = await mkdtemp(join(tmpdir(), "leeway-image-"));
    const source = join(folder, "source");
    await $`mkdir -p ${source}/services/quota ${source}/packages ${source}/node_modules`;
    await $`cp -r package.json scripts ${source}`.cwd(ROOT);
    await $`cp -r packages/shared ${source}/packages`.cwd(ROOT);
    await $`cp -r services/quota/src services/quota/migrations ${source}/services/quota`.cwd(ROOT);
    await $`rm -rf ${source}/packages/shared/node_modules`;
    await $`mkdir -p ${source}/services/quota/node_modules/@leeway/shared`;
    await $`chmod -R go-rwx ${source}`;
    const [, commands = ""] =
      new RegExp(` AS ${stage}\\n[^]*?\\nRUN (set -eu; [^]*?[^\\\\])\\n`).exec(DOCKERFILE) ?? [];
    const script = commands.replaceAll("\\\n", "").replaceAll("/app", `${folder}/app`);
    await $`sh -c ${`umask 022; ${script}`}`.cwd(source).env({ PATH: process.env["PATH"], SERVICE: "quota" });
    const closed = await $`find ${folder}/app ! -type l ! -perm -o=r -o -type d ! -perm -o=x`.text();
    const files = [...new Glob("app/**/*.ts").scanSync(folder)];
    await rm(folder, { recursive: true });
    expect(files.length).toBeGreaterThan(5);
    expect(closed).toBe("");
  },
);

test("an image runs as a user that isn't root, and opens the ports of the code", async () => {
  expect(DOCKERFILE).toContain("\nUSER 1000:1000\n");
  const ports = await Promise.all(
    SERVICES.map(async (service) => {
      const variables = await variablesOf(service);
      return (variables["PORT"] ?? variables["HEALTH_PORT"])?.fallback;
    }),
  );
  expect(DOCKERFILE).toContain(
    `\nEXPOSE ${[...new Set(ports)].toSorted((a, b) => Number(a) - Number(b)).join(" ")}\n`,
  );
});

test.each([
  ["gateway", "PORT", 200, 0],
  ["gateway", "PORT", 503, 1],
  ["quota", "HEALTH_PORT", 200, 0],
  ["quota", "HEALTH_PORT", 503, 1],
])("the health check of %s asks %s; on %i it ends with %i", async (service, name, status, code) => {
  using server = Bun.serve({
    port: 0,
    fetch: ({ url }) => new Response(null, { status: url.endsWith("/readyz") ? status : 404 }),
  });
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts/healthcheck.ts")], {
    cwd: join(ROOT, "services", service),
    // A proxy that Docker gives to all containers has no way to what they open for themselves.
    env: { [name]: String(server.port), HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1" },
  });
  expect(await child.exited).toBe(code);
});

test("the health check of a service that isn't there fails", async () => {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts/healthcheck.ts")], {
    cwd: join(ROOT, "services/quota"),
    env: { HEALTH_PORT: "1" },
  });
  expect(await child.exited).toBe(1);
});

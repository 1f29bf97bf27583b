import { expect, test } from "bun:test";

import { $, Glob } from "bun";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { read, ROOT } from "../docs/repository.ts";
import { SERVICES, variablesOf } from "./kit.ts";

const DOCKERFILE = await read("Dockerfile");
const IGNORED = await read(".dockerignore");

test("images use the Bun version of the tests", async () => {
  const { devDependencies }: { devDependencies: Record<string, string> } = JSON.parse(
    await read("package.json"),
  );
  expect(DOCKERFILE).toContain(`ARG BASE=oven/bun:${devDependencies["bun"]}-slim\n`);
  expect(DOCKERFILE).toContain(`ARG RUNTIME=oven/bun:${devDependencies["bun"]}-distroless\n`);
});

test("every script in the tools image exists and is in the build context", () => {
  const scripts = [...new Set(DOCKERFILE.match(/scripts\/[\w-]+\.ts/g))];
  expect(scripts).toContain("scripts/migrate.ts");
  expect(scripts.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  expect(IGNORED.match(/(?<=^!)scripts\/.*\.ts$/gm)?.toSorted()).toEqual(scripts.toSorted());
});

test("Docker 20 knows every instruction and flag", () => {
  expect(DOCKERFILE).not.toMatch(/^HEALTHCHECK.*--start-interval|^RUN --|^COPY.* --(?:chmod|link)\b|<<EOF/m);
});

test("the stage without a shell runs no commands", () => {
  const [, service = ""] = DOCKERFILE.split(/^FROM \$\{RUNTIME\} AS service$/m);
  expect(service).toContain("COPY --from=service-files");
  expect(service).not.toMatch(/^RUN |^CMD [^[]/m);
});

/** Reports whether the build context lacks a file. */
function isIgnored(path: string): boolean {
  const allowed = IGNORED.split("\n").filter((line) => line.startsWith("!"));
  return !allowed.some((line) => `${path}/`.startsWith(`${line.slice(1)}/`));
}

test("the trial's image has every file that up imports and reads", async () => {
  const wanted = new Set<string>();
  const open = ["scripts/up.ts"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (wanted.has(path)) continue;
    wanted.add(path);
    if (!path.endsWith(".ts")) continue;
    const imports = (await read(path)).matchAll(/^(?:import|export|\}) ?.*from "(\.[^"]+)"/gm);
    open.push(...Array.from(imports, ([, target = ""]) => join(path, "..", target)));
  }
  expect(wanted.size).toBeGreaterThan(40);
  expect([...wanted].filter(isIgnored)).toEqual([]);
  expect(DOCKERFILE).toContain(
    "cp -a package.json node_modules packages services scripts examples deploy /app/",
  );
});

test("every script in the tools image finds its imports", async () => {
  const scripts = [...new Set(DOCKERFILE.match(/scripts\/[\w-]+\.ts/g))];
  const texts = await Promise.all(scripts.map(read));
  const imported = texts.flatMap((source) =>
    [...source.matchAll(/from "\.\/(.+)"/g)].map(([, path = ""]) => path),
  );
  expect(imported).toContain("schemas.ts");
  // The folders are the trial's.
  const missing = imported.filter((path) => !scripts.includes(`scripts/${path}`));
  expect(missing.filter((path) => !/^(?:up|local)\//.test(path))).toEqual([]);
});

test("images contain only listed files, so no secrets", () => {
  expect(IGNORED.split("\n").find((line) => line !== "" && !line.startsWith("#"))).toBe("*");
  expect(IGNORED).not.toContain("!.env");
});

test.each(["service-files", "tools-files"])(
  "%s from a private checkout are readable for an image's user",
  async (stage) => {
    const folder = await mkdtemp(join(tmpdir(), "leeway-image-"));
    const source = join(folder, "source");
    await $`mkdir -p ${source}/services/quota ${source}/packages ${source}/node_modules`;
    await $`cp -r package.json scripts ${source}`.cwd(ROOT);
    await $`cp -r packages/shared packages/clouds ${source}/packages`.cwd(ROOT);
    await $`cp -r services/quota/src services/quota/migrations ${source}/services/quota`.cwd(ROOT);
    await $`mkdir -p ${source}/services/gateway/src`;
    await $`cp -r migrations ${source}/services/gateway`.cwd(join(ROOT, "services/gateway"));
    await $`cp -r schema.ts bus-parts.ts audit ${source}/services/gateway/src`.cwd(
      join(ROOT, "services/gateway/src"),
    );
    await $`rm -rf ${source}/packages/shared/node_modules ${source}/packages/clouds/node_modules`;
    await $`mkdir -p ${source}/packages/shared/node_modules/@leeway/clouds`;
    await $`mkdir -p ${source}/services/quota/node_modules/@leeway/shared`;
    await $`chmod -R go-rwx ${source}`;
    const [, commands = ""] =
      new RegExp(` AS ${stage}\\n[^]*?\\nRUN (set -eu; [^]*?[^\\\\])\\n`).exec(DOCKERFILE) ?? [];
    const script = commands.replaceAll("\\\n", "").replaceAll("/app", `${folder}/app`);
    await $`sh -c ${`umask 022; ${script}`}`.cwd(source).env({ PATH: process.env["PATH"], SERVICE: "quota" });
    const closed = await $`find ${folder}/app ! -type l ! -perm -o=r -o -type d ! -perm -o=x`.text();
    const files = [...new Glob("app/**/*.ts").scanSync(folder)];
    await rm(folder, { recursive: true });
    // A package that only another package needs is copied, too.
    expect(files.some((path) => path.includes("packages/clouds"))).toBe(stage === "service-files");
    expect(files.includes("app/services/gateway/src/audit/verify-log.ts")).toBe(stage === "tools-files");
    expect(files.length).toBeGreaterThan(5);
    expect(closed).toBe("");
  },
);

test("an image runs as a non-root user and exposes the ports in the code", async () => {
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
  ["gateway", "HEALTH_PORT", 200, 0],
  ["gateway", "HEALTH_PORT", 503, 1],
  ["quota", "HEALTH_PORT", 200, 0],
  ["quota", "HEALTH_PORT", 503, 1],
])("the health check of %s reads %s; on %i it exits with %i", async (service, name, status, code) => {
  using server = Bun.serve({
    port: 0,
    fetch: ({ url }) => new Response(null, { status: url.endsWith("/readyz") ? status : 404 }),
  });
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts/healthcheck.ts")], {
    cwd: join(ROOT, "services", service),
    // Docker may set a proxy for all containers, which can't reach the container's own ports.
    env: { [name]: String(server.port), HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "http://127.0.0.1:1" },
  });
  expect(await child.exited).toBe(code);
});

test("the health check fails for a service that isn't running", async () => {
  const child = Bun.spawn([process.execPath, join(ROOT, "scripts/healthcheck.ts")], {
    cwd: join(ROOT, "services/quota"),
    env: { HEALTH_PORT: "1" },
  });
  expect(await child.exited).toBe(1);
});

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyFile, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { loadSecrets } from "./secrets.ts";

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "leeway-secrets-"));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

describe("secrets", () => {
  test("are created once, private to their owner, and the same at every start", async () => {
    const first = await loadSecrets(dir, ["quota"], {});
    const [id, key] = first.masterKeys.split(":");
    expect(id).toMatch(/^k\d{8}$/);
    expect(Buffer.from(key!, "base64").length).toBe(32);
    expect(await loadSecrets(dir, ["quota"], {})).toEqual(first);
    expect((await stat(join(dir, "secrets.json"))).mode & 0o777).toBe(0o600);
  });

  test("get a new password when a service is added", async () => {
    const before = await loadSecrets(dir, ["quota"], {});
    const after = await loadSecrets(dir, ["quota", "gateway"], {});
    expect(after.rolePasswords["quota"]).toBe(before.rolePasswords["quota"]);
    expect(after.rolePasswords["gateway"]).not.toBe(before.rolePasswords["quota"]!);
  });

  test("from the environment take precedence and aren't stored", async () => {
    const kept = await loadSecrets(dir, ["quota"], {});
    const given = { LEEWAY_MASTER_KEYS: "mine:AAAA", OPERATOR_TOKEN: "token" };
    expect(await loadSecrets(dir, ["quota"], given)).toMatchObject({
      masterKeys: "mine:AAAA",
      operatorToken: "token",
    });
    expect(await loadSecrets(dir, ["quota"], {})).toEqual(kept);
  });

  test("in docker compose's `.env` aren't loaded", async () => {
    const folder = await mkdtemp(join(dir, "checkout-"));
    await copyFile(join(import.meta.dir, "../../bunfig.toml"), join(folder, "bunfig.toml"));
    await writeFile(join(folder, ".env"), "OPERATOR_TOKEN=composed\n");
    await writeFile(join(folder, "main.ts"), "console.log(process.env.OPERATOR_TOKEN)");
    const { OPERATOR_TOKEN: _, ...env } = process.env;
    const child = Bun.spawnSync([process.execPath, "main.ts"], { cwd: folder, env });
    expect(String(child.stdout)).toBe("undefined\n");
  });

  test("that can't be read are never replaced, because encrypted data would be lost", async () => {
    const damaged = await mkdtemp(join(dir, "damaged-"));
    await writeFile(join(damaged, "secrets.json"), "{");
    const load = loadSecrets(damaged, ["quota"], {});
    await expect(load).rejects.toThrow(
      `${join(damaged, "secrets.json")} is damaged: put a copy of it back, or remove ${damaged} to begin anew`,
    );
  });
});

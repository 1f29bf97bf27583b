import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { startTestGateway, type TestGateway } from "../../services/gateway/test/support/gateway.ts";

let gateway: TestGateway;
let orgId: string;
let folder: string;

beforeAll(async () => {
  gateway = await startTestGateway();
  const { id, owner } = await gateway.newOwnedOrg();
  orgId = id;
  for (const role of ["admin", "member", "viewer"]) await gateway.newKey(id, owner, role);
  folder = await mkdtemp(join(tmpdir(), "leeway-audit-"));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

async function run(...args: string[]): Promise<{ code: number; said: string }> {
  const child = Bun.spawn(["bun", join(import.meta.dir, "../../scripts/audit-log.ts"), ...args], {
    env: { ...process.env, DATABASE_URL: gateway.db.adminUrl },
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, problems] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, said: out + problems };
}

test("the operator verifies, exports and checks a chain, and sees where it breaks", async () => {
  const file = join(folder, "log.ndjson");
  expect(await run("verify")).toMatchObject({ code: 0, said: expect.stringContaining("4 entries hold") });
  expect(await run("export", orgId, file)).toMatchObject({ code: 0 });
  expect(await run("check", orgId, file)).toMatchObject({
    code: 0,
    said: expect.stringContaining("entries 1 to 4 hold"),
  });
  const { said } = await run("export", orgId, "-");
  expect(said).toStartWith(await Bun.file(file).text());
  await Bun.write(file, (await Bun.file(file).text()).replace('"role":"member"', '"role":"admin"'));
  expect(await run("check", orgId, file)).toMatchObject({
    code: 1,
    said: expect.stringContaining("breaks at 3 (changed)"),
  });
  await gateway.db.admin.begin(async (sql) => {
    await sql`set local session_replication_role = replica`;
    await sql`delete from identity.audit_log where org_id = ${orgId} and sequence = 2`;
  });
  expect(await run("verify", orgId)).toMatchObject({
    code: 1,
    said: expect.stringContaining("breaks at 2 (missing)"),
  });
  expect(await run("paint")).toMatchObject({ code: 1, said: expect.stringContaining("usage: audit-log") });
});

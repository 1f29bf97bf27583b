/**
 * Verifies and exports the audit logs of organizations. `verify` and `export` need `DATABASE_URL` as the database's
 * owner.
 *   verify [ORG…]     follows the chains of these or all organizations, and reports where one breaks
 *   export ORG FILE   writes the chain as NDJSON, to the standard output if FILE is -
 *   check ORG FILE    follows the chain in an exported file, without a database
 */
import { databaseUrl, loadConfig } from "@leeway/shared/platform/config";
import { isUuid } from "@leeway/shared/contracts/contract";
import { openDatabase, type Database } from "@leeway/shared/database/database";

import { follow, type ChainedEntry, type Link } from "../services/gateway/src/audit/chain.ts";
import { verifyLog } from "../services/gateway/src/audit/verify-log.ts";
import { chainOf, listChained } from "../services/gateway/src/audit/store/audit-chain.ts";

const PAGE = 1_000;
const USAGE = "audit-log verify [ORG…] | export ORG FILE | check ORG FILE";

/** @returns whether every checked chain is intact */
async function main([verb = "", ...given]: readonly string[]): Promise<boolean> {
  if (verb === "verify" && given.every(isUuid)) return withDatabase((database) => verifyAll(database, given));
  const [orgId, file, ...more] = given;
  if (orgId === undefined || !isUuid(orgId) || file === undefined || more.length > 0) throw wrongUsage();
  if (verb === "check") return checkFile(orgId, file);
  if (verb === "export") return withDatabase((database) => exportTo(database, orgId, file));
  throw wrongUsage();
}

function wrongUsage(): Error {
  return new Error(`usage: ${USAGE}`);
}

async function withDatabase(work: (database: Database) => Promise<boolean>): Promise<boolean> {
  const { DATABASE_URL: url } = loadConfig(
    { DATABASE_URL: databaseUrl("PostgreSQL, as the owner of the tables") },
    process.env,
  );
  const database = openDatabase({ url, service: "audit-log" });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

async function verifyAll(database: Database, given: readonly string[]): Promise<boolean> {
  const known = await database.system<{
    org_id: string;
  }>`select org_id from identity.audit_chains order by org_id`;
  const orgIds = given.length > 0 ? given : known.map(({ org_id }) => org_id);
  let holds = true;
  for (const orgId of orgIds) {
    const verified = await verifyLog(database.org(orgId));
    const { sequence, hash, entries, broken_at: broken } = verified;
    const place = broken && `breaks at ${broken.sequence} (${broken.reason})`;
    console.log(`${orgId}: ${place ?? `${entries} entries hold`}, newest ${sequence} ${hash}`);
    holds &&= verified.holds;
  }
  return holds;
}

async function exportTo(database: Database, orgId: string, file: string): Promise<boolean> {
  const sql = database.org(orgId);
  const { head, kept } = await chainOf(sql);
  const writer = (file === "-" ? Bun.stdout : Bun.file(file)).writer();
  let last = kept.sequence;
  while (last < head.sequence) {
    const entries = await listChained(sql, { after: last, until: head.sequence, limit: PAGE });
    if (entries.length === 0) break;
    await writer.write(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    last = entries.at(-1)?.sequence ?? head.sequence;
  }
  await writer.end();
  console.error(`${file}: entries ${kept.sequence + 1} to ${last}`);
  return last === head.sequence;
}

async function checkFile(orgId: string, file: string): Promise<boolean> {
  let link: Link | undefined;
  let first = 0;
  for await (const entry of entriesIn(file)) {
    link ??= { sequence: entry.sequence - 1, hash: entry.previous_hash };
    first ||= entry.sequence;
    const next = follow(orgId, link, [entry]);
    if ("reason" in next) {
      console.log(`${file}: breaks at ${next.sequence} (${next.reason})`);
      return false;
    }
    link = next;
  }
  console.log(`${file}: entries ${first} to ${link?.sequence ?? 0} hold, newest ${link?.hash ?? ""}`);
  return true;
}

async function* entriesIn(file: string): AsyncGenerator<ChainedEntry> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of Bun.file(file).stream()) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line !== "") yield JSON.parse(line);
  }
  if (rest !== "") yield JSON.parse(rest);
}

main(process.argv.slice(2)).then(
  (holds) => process.exit(holds ? 0 : 1),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);

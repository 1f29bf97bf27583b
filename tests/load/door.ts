/**
 * Measures the overhead of our database module: a tenant's statement through it against the same statement through
 * the bare driver, in alternating rounds. The module adds row-level security, deadlines, statement names and metrics.
 * `LEEWAY_TEST_DATABASE_URL` names the server.
 */
import { openDatabase } from "@leeway/shared/database/database";
import { testDatabase, testSchema } from "@leeway/shared/testing/testing";

const ROWS = 100_000;
const ORGANIZATIONS = 100;
const PAGE = 20;
const TURN_MS = 1_000;
const TURNS = 5;
const CALLERS = [1, 16, 64];

const schema = await testSchema("load", {
  "0001_create_things.sql": `
    create table load.things (org_id uuid not null, id int not null, body text not null, primary key (org_id, id));
    call load.isolate('things');`,
});
const db = await testDatabase([schema]);
const orgs = Array.from({ length: ORGANIZATIONS }, () => crypto.randomUUID());
await db.admin`
  insert into load.things
  select (${orgs}::uuid[])[1 + n % ${ORGANIZATIONS}], n, repeat('x', 100) from generate_series(1, ${ROWS}) n
`;
await db.admin`analyze load.things`;
const connections = { short: 2, transactions: 1, bulk: 1, background: 1 };
const door = openDatabase({ url: db.urlOf("load"), service: "load", connections });

const anyOrg = (): string => orgs[Math.floor(Math.random() * orgs.length)] ?? "";

const WAYS: Record<"bare" | "door", () => Promise<{ length: number }>> = {
  bare: async () => {
    const org = anyOrg();
    return db.admin`select id, body from load.things where org_id = ${org} order by id limit ${PAGE}`;
  },
  door: async () => {
    const org = anyOrg();
    return door.org(org)`select id, body from load.things where org_id = ${org} order by id limit ${PAGE}`;
  },
};

interface Figures {
  /** Statements per second. */
  rate: number;
  /** 99th percentile of the answer time, in ms. */
  p99: number;
}

async function measure(way: () => Promise<{ length: number }>, callers: number): Promise<Figures> {
  const took: number[] = [];
  const end = performance.now() + TURN_MS;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) {
      const started = performance.now();
      const rows = await way();
      if (rows.length !== PAGE) throw new Error(`${rows.length} rows`);
      took.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  const p99 = took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
  return { rate: (took.length / TURN_MS) * 1000, p99 };
}

function median(figures: Figures[]): Figures {
  const sorted = figures.toSorted((a, b) => a.rate - b.rate);
  return sorted[figures.length >> 1] ?? { rate: 0, p99: 0 };
}

for (const callers of CALLERS) {
  const bare: Figures[] = [];
  const through: Figures[] = [];
  for (let turn = 0; turn <= TURNS; turn += 1) {
    bare.push(await measure(WAYS.bare, callers));
    through.push(await measure(WAYS.door, callers));
  }
  // The first round is warm-up.
  const [of, at] = [median(bare.slice(1)), median(through.slice(1))];
  process.stdout.write(
    `${String(callers).padStart(3)} callers: bare ${of.rate.toFixed(0)}/s (p99 ${of.p99.toFixed(1)} ms), ` +
      `door ${at.rate.toFixed(0)}/s (p99 ${at.p99.toFixed(1)} ms), ratio ${(at.rate / of.rate).toFixed(2)}\n`,
  );
}
await door.close();
await db.drop();

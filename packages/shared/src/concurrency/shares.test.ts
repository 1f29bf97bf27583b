import { expect, test } from "bun:test";

import fc from "fast-check";

import { createShares } from "./shares.ts";

interface Offered {
  orgId: string;
  id: string;
  abandoned: boolean;
}

/**
 * Creates shares (two by default) whose offers return at once, as the bus redelivers them. `begun` lists jobs in
 * order.
 */
function jobs({ share = 2, workers }: { share?: number; workers?: number } = {}) {
  const begun: string[] = [];
  const ends = new Map<string, (failure?: Error) => void>();
  const offers: string[] = [];
  const offerAgain = async ({ id, abandoned }: Offered): Promise<void> =>
    void offers.push(abandoned ? `${id}, abandoned` : id);
  const shares = createShares<Offered>({
    share,
    ...(workers !== undefined && { workers }),
    offerAgain,
    merge: (known, job) => ({ ...job, abandoned: known.abandoned || job.abandoned }),
  });
  const come = (orgId: string, id: string, abandoned = false): Promise<void> =>
    shares.within({ orgId, id, abandoned }, () => {
      begun.push(id);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      ends.set(id, (failure) => (failure ? reject(failure) : resolve()));
      return promise;
    });
  return { begun, ends, offers, come, returnWaiting: shares.returnWaiting };
}

test("an organization whose work hangs doesn't block others", async () => {
  const { begun, come } = jobs();
  void come("a", "a1");
  void come("a", "a2");
  await come("a", "a3");
  void come("b", "b1");
  expect(begun).toEqual(["a1", "a2", "b1"]);
});

test("each hanging organization leaves as many workers as it takes", async () => {
  const { begun, come } = jobs({ share: 8, workers: 32 });
  for (let org = 0; org < 5; org += 1)
    for (let n = 0; n < 9; n += 1) void come(`org${org}`, `org${org}-${n}`);
  const taken = Array.from(
    { length: 5 },
    (_, org) => begun.filter((id) => id.startsWith(`org${org}-`)).length,
  );
  expect(taken).toEqual([8, 8, 8, 4, 2]);
  void come("last", "last");
  expect(begun.at(-1)).toBe("last");
});

test("a job held back for others is offered again once they free workers", async () => {
  const { ends, offers, come } = jobs({ share: 2, workers: 4 });
  for (const id of ["a1", "a2"]) void come("a", id);
  for (const id of ["b1", "b2"]) void come("b", id);
  expect(offers).toEqual([]);
  ends.get("a1")?.();
  ends.get("a2")?.();
  await Bun.sleep(100);
  expect(offers).toEqual(["b2"]);
});

test.each([
  ["is done", undefined],
  ["fails", new Error("the host is away")],
])("held-back jobs are offered in order when one %s", async (_, failure) => {
  const { ends, offers, come } = jobs();
  const first = come("a", "a1").catch(() => undefined);
  void come("a", "a2");
  for (const id of ["a3", "a4", "a3"]) await come("a", id);
  ends.get("a1")?.(failure);
  await first;
  expect(offers).toEqual(["a3"]);
  void come("a", "a3");
  ends.get("a3")?.();
  await Bun.sleep(0);
  expect(offers).toEqual(["a3", "a4"]);
});

test("held-back jobs of a stopping process are offered at once", async () => {
  const { offers, come, returnWaiting } = jobs();
  for (const id of ["a1", "a2"]) void come("a", id);
  for (const id of ["a3", "a4"]) await come("a", id);
  await returnWaiting();
  expect(offers).toEqual(["a3", "a4"]);
});

test("two offers of a held-back job are combined", async () => {
  const { offers, come, returnWaiting } = jobs();
  for (const id of ["a1", "a2"]) void come("a", id);
  for (const [id, abandoned] of [
    ["a3", true],
    ["a3", false],
    ["a4", false],
    ["a4", true],
  ] as const)
    await come("a", id, abandoned);
  await returnWaiting();
  expect(offers).toEqual(["a3, abandoned", "a4, abandoned"]);
});

test("every job is done, whichever process gets it and even if offers are lost", async () => {
  const step = fc.record({ process: fc.nat({ max: 2 }), workMs: fc.nat({ max: 3 }), isTaken: fc.boolean() });
  const property = fc.asyncProperty(
    fc.infiniteStream(step),
    fc.integer({ min: 1, max: 40 }),
    async (way, count) => {
      const done = new Set<string>();
      const processes = Array.from({ length: 3 }, () =>
        createShares<Job>({
          share: 2,
          offerAgain: async (job) => {
            if (!way.next().value.isTaken) throw new Error("the bus is away");
            bring(job);
          },
        }),
      );
      function bring(job: Job): void {
        const { process = 0, workMs = 0 } = way.next().value;
        void processes[process]?.within(job, async () => {
          await Bun.sleep(workMs);
          done.add(job.id);
        });
      }
      for (let n = 0; n < count; n += 1) bring({ orgId: "a", id: `a${n}` });
      await untilDone(done, count);
    },
  );
  await fc.assert(property, { numRuns: 10 });
});

interface Job {
  orgId: string;
  id: string;
}

async function untilDone(done: ReadonlySet<string>, count: number): Promise<void> {
  const limit = performance.now() + 60_000;
  while (done.size < count && performance.now() < limit) await Bun.sleep(1);
  expect(done.size).toBe(count);
}

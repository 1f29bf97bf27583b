import { afterAll, beforeAll, beforeEach } from "bun:test";

import { JOB_TAKEN, SUBMISSION } from "../../src/examples/analyzer.ts";
import { startTestGateway, type Ask, type TestGateway } from "./gateway.ts";

const { poll_url: _, ...JOB } = JOB_TAKEN;
export const TAKEN = { accepted: true, ...JOB };

/** Streams `bytes` in chunks of 1 MiB, so that no length is announced. */
export function unannounced(bytes: Uint8Array): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 1 << 20)
        controller.enqueue(bytes.subarray(at, at + (1 << 20)));
      controller.close();
    },
  });
}

/** Starts a gateway with an organization and a key of each role, for the tests of one file. */
export function analyzing() {
  let gateway: TestGateway;
  let org: { id: string; owner: string };
  let base: string;
  const keys: Record<string, string> = {};

  beforeAll(async () => {
    gateway = await startTestGateway();
    org = await gateway.newOwnedOrg();
    base = `/api/v2/orgs/${org.id}`;
    for (const role of ["admin", "member", "viewer"]) {
      keys[role] = (await gateway.newKey(org.id, org.owner, role)).key;
    }
  });
  afterAll(() => gateway.stop());
  beforeEach(() => gateway.others.reset());
  return {
    get gateway() {
      return gateway;
    },
    get org() {
      return org;
    },
    get base() {
      return base;
    },
    keys,
    analyze: (ask: Ask = {}) =>
      gateway.ask("POST", `${base}/analyze`, { as: keys["member"] ?? "", body: SUBMISSION, ...ask }),
    lastAsked: () => gateway.others.asked.at(-1),
  };
}

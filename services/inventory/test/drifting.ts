import { afterAll, beforeAll, expect } from "bun:test";

import { ListDriftChanges, type DriftChange } from "@leeway/shared/contracts/inventory/drift";

import { SwitchExclusionRule } from "@leeway/shared/contracts/inventory/posture";
import { ReportPlan } from "@leeway/shared/contracts/inventory/plans";

import { ndjson, newOrg, startInventory, tfstate, type TestInventory } from "./kit.ts";

export const ACCOUNT = "123456789012";

export type Declared = Parameters<typeof tfstate>[0][number];
type Org = ReturnType<typeof newOrg>;

/** Starts an inventory that computes drift, for the tests of one file. */
export function drifting() {
  let inventory: TestInventory;
  beforeAll(async () => {
    inventory = await startInventory();
  });
  afterAll(() => inventory.stop());

  async function changesOf(org: Org): Promise<DriftChange[]> {
    return (await inventory.call(ListDriftChanges, { org_id: org.id, limit: 100 })).data;
  }
  return {
    newOrg: () => newOrg(inventory),
    /** Switches an exclusion rule off. */
    async switchOff({ id }: Org, rule_id: string): Promise<void> {
      await inventory.call(SwitchExclusionRule, { org_id: id, rule_id, enabled: false });
    },
    /**
     * Changes an organization's states as if an older version had stored them, which didn't record the wholes of
     * parts.
     */
    async forgetWholes({ id }: Org): Promise<void> {
      await inventory.test
        .admin`update inventory.declared_attributes set whole_keys = '{}' where org_id = ${id}`;
    },
    /** Reports the drift that a plan of this source found in its refresh just now. */
    async report(org: Org, source: string, drift: readonly object[]): Promise<void> {
      const body = ndjson(drift.map((one) => ({ drift: one })));
      const { ref } = await inventory.bodies.put(new Blob([body]).stream(), 1 << 20);
      const planned = { source_names: [source], planned_at: new Date().toISOString() };
      await inventory.call(ReportPlan, { org_id: org.id, ...planned, body: { ref } });
    },
    changesOf,
    /** Creates an account with this state and this listing, and returns its changes. */
    async changesBetween(
      declared: readonly Declared[],
      listing: object | string,
      [provider, id]: readonly [string, string] = ["aws", ACCOUNT],
    ): Promise<DriftChange[]> {
      const org = newOrg(inventory);
      const account = await org.account(provider, id);
      await org.pushState(await org.source("main", account.id), tfstate(declared));
      expect((await org.pushListing(account, listing)).status).toBe("succeeded");
      return changesOf(org);
    },
  };
}

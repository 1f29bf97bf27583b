import { answer, answerJson, type Endpoint } from "@leeway/shared/bus/answer";
import type { Bodies } from "@leeway/shared/bus/bodies";
import { healthOf } from "@leeway/shared/contracts/common";
import * as accounts from "@leeway/shared/contracts/inventory/accounts";
import * as drift from "@leeway/shared/contracts/inventory/drift";
import { ListIdentityKeys } from "@leeway/shared/contracts/inventory/identity-keys";
import * as posture from "@leeway/shared/contracts/inventory/posture";
import * as resources from "@leeway/shared/contracts/inventory/resources";
import * as scans from "@leeway/shared/contracts/inventory/scans";
import * as schedules from "@leeway/shared/contracts/inventory/schedules";
import * as sources from "@leeway/shared/contracts/inventory/sources";
import type { Cursors } from "@leeway/shared/cursor";
import { AppError } from "@leeway/shared/errors";
import type { KeyRing } from "@leeway/shared/keyring";
import { readinessOf, type Platform } from "@leeway/shared/service";

import { accessPolicy, type Installation } from "./access/access-policy.ts";
import type { Registry } from "./connectors/registry.ts";
import { addAccount, changeAccount, findAccount, purge, removeAccount } from "./accounts/accounts.ts";
import { listAccounts } from "./accounts/store.ts";
import { verifyAccount } from "./accounts/verify-account.ts";
import { enrichResource } from "./enrichment/enrich-resource.ts";
import type { SigningKeys } from "./issuer/signing-keys.ts";
import { decideDrift } from "./drift/decide-drift.ts";
import { diffSnapshots, findPlace } from "./drift/diff-snapshots.ts";
import { keyOf, listPresent, listWithin } from "./drift/store/changes.ts";
import { getSnapshot, listSnapshots, noteNarrative } from "./drift/store/snapshots.ts";
import { listRules, setRule } from "./exclusions/exclusions.ts";
import { pageOf, wholeList } from "@leeway/shared/pages";
import { listPosture, listTrend } from "./posture/store.ts";
import { getResource } from "./resources/get-resource.ts";
import { countResources, listResources } from "./resources/store.ts";
import { pushListing } from "./scans/push-listing.ts";
import { rescanProjects } from "./scans/pull/rescan-projects.ts";
import { requestScan } from "./scans/pull/request-scan.ts";
import { callOffScan, findScan } from "./scans/scans.ts";
import { listScans } from "./scans/store/scans.ts";
import { addSchedule, changeSchedule, findSchedule, removeSchedule } from "./schedules/schedules.ts";
import { listSchedules } from "./schedules/store/schedules.ts";
import { pushState } from "./sources/push-state.ts";
import { addSource, changeSource, findSource, removeSource } from "./sources/sources.ts";
import { getDeclared, listDeclared } from "./sources/store/declared.ts";
import { listSources } from "./sources/store/sources.ts";

/** What the inventory works with. */
export interface Dependencies extends Platform {
  ring: KeyRing;
  cursors: Cursors;
  bodies: Bodies;
  clouds: Registry;
  signingKeys: SigningKeys;
  installation: Installation;
}

const json = (row: object): string => JSON.stringify(row);

/** Everything the inventory answers, one line a contract. */
export function handlers(deps: Dependencies): Endpoint[] {
  return [
    ...accountHandlers(deps),
    ...sourceHandlers(deps),
    ...scanHandlers(deps),
    ...scheduleHandlers(deps),
    ...cloudHandlers(deps),
    ...readHandlers(deps),
    ...driftHandlers(deps),
  ];
}

function accountHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answer(healthOf("inventory"), () => readinessOf(deps)),
    answer(accounts.CreateAccount, (input) => addAccount(deps, input)),
    answer(accounts.GetAccount, ({ org_id, account_id }) => findAccount(database, org_id, account_id)),
    answer(accounts.UpdateAccount, (input) => changeAccount(deps, input)),
    answer(accounts.DeleteAccount, async ({ org_id, account_id }) => {
      await removeAccount(deps, org_id, account_id);
      return {};
    }),
    answer(accounts.PurgeInventory, async ({ org_id }) => {
      await purge(database, org_id);
      return {};
    }),
    answerJson(accounts.ListAccounts, (input) =>
      pageOf(cursors, "cloud-accounts", input, {
        fetch: ({ from, limit }) =>
          listAccounts(database.org(input.org_id), { provider: input.provider }, { after: from, limit }),
        json,
      }),
    ),
  ];
}

function sourceHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answer(sources.CreateSource, (input) => addSource(database, input)),
    answer(sources.GetSource, ({ org_id, source_id }) => findSource(database, org_id, source_id)),
    answer(sources.UpdateSource, (input) => changeSource(deps, input)),
    answer(sources.DeleteSource, async (input) => {
      await removeSource(deps, input);
      return {};
    }),
    answer(sources.PushState, (input) => pushState(deps, input)),
    answerJson(sources.ListSources, (input) =>
      pageOf(cursors, "iac-sources", input, {
        fetch: ({ from, limit }) =>
          listSources(database.org(input.org_id), { accountId: input.account_id }, { after: from, limit }),
        json,
      }),
    ),
    answer(sources.GetIacResource, async ({ org_id, resource_id }) => {
      const resource = await getDeclared(database.org(org_id), resource_id);
      if (!resource) throw new AppError("not_found", "no such IaC resource");
      return resource;
    }),
    answerJson(sources.ListIacResources, (input) => {
      const { source_id, account_id, type, match } = input;
      const filter = { sourceId: source_id, accountId: account_id, type, match };
      return pageOf(cursors, "iac-resources", input, {
        fetch: ({ from, limit }) => listDeclared(database.org(input.org_id), filter, { after: from, limit }),
        json,
      });
    }),
  ];
}

function scanHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answer(scans.CreateScan, (input) => requestScan(deps, input)),
    answer(scans.RescanProjects, (input) => rescanProjects(deps, input)),
    answer(scans.PushListing, (input) => pushListing(deps, input)),
    answer(scans.GetScan, ({ org_id, scan_id }) => findScan(database, org_id, scan_id)),
    answer(scans.CancelScan, (input) => callOffScan(database, input)),
    answerJson(scans.ListScans, (input) => {
      const filter = { accountId: input.account_id, status: input.status, trigger: input.trigger };
      return pageOf(cursors, "scans", input, {
        fetch: ({ from, limit }) => listScans(database.org(input.org_id), filter, { before: from, limit }),
        json,
      });
    }),
  ];
}

/** What asks the clouds themselves. */
function cloudHandlers(deps: Dependencies): Endpoint[] {
  return [
    answer(accounts.GetAccessPolicy, (input) => accessPolicy(deps, input)),
    answer(ListIdentityKeys, async () => ({ keys: await deps.signingKeys.published() })),
    answer(accounts.VerifyAccount, (input) => verifyAccount(deps, input)),
    answerJson(resources.EnrichResource, async (input) => ({ json: await enrichResource(deps, input) })),
  ];
}

function scheduleHandlers({ database, cursors }: Dependencies): Endpoint[] {
  return [
    answer(schedules.CreateSchedule, (input) => addSchedule(database, input)),
    answer(schedules.GetSchedule, ({ org_id, schedule_id }) => findSchedule(database, org_id, schedule_id)),
    answer(schedules.UpdateSchedule, (input) => changeSchedule(database, input)),
    answer(schedules.DeleteSchedule, async (input) => {
      await removeSchedule(database, input);
      return {};
    }),
    answerJson(schedules.ListSchedules, (input) =>
      pageOf(cursors, "scan-schedules", input, {
        fetch: ({ from, limit }) =>
          listSchedules(database.org(input.org_id), { accountId: input.account_id }, { after: from, limit }),
        json,
      }),
    ),
  ];
}

function readHandlers(deps: Dependencies): Endpoint[] {
  const { database, cursors } = deps;
  return [
    answerJson(resources.ListResources, (input) => {
      const sql = database.org(input.org_id);
      const filter = {
        accountId: input.account_id,
        normalizedType: input.normalized_type,
        providerType: input.provider_type,
        match: input.match,
        enrichmentStatus: input.enrichment_status,
        q: input.q,
        seenSince: input.seen_since,
      };
      const { total, ...request } = input;
      return pageOf(cursors, "resources", request, {
        fetch: ({ from, limit }) => listResources(sql, filter, { after: from, limit }),
        json: (row) => row.json,
        ...(total && {
          extra: async () => `,"total_count":${await countResources(sql, filter)}`,
        }),
      });
    }),
    answerJson(resources.GetResource, async (input) => ({
      json: await getResource(database.org(input.org_id), input),
    })),
    answerJson(posture.GetPosture, async ({ org_id }) => wholeList(await listPosture(database.org(org_id)))),
    answerJson(posture.GetTrend, async ({ org_id, account_id, days }) =>
      wholeList(await listTrend(database.org(org_id), { accountId: account_id, days })),
    ),
    answerJson(posture.ListExclusionRules, async ({ org_id }) =>
      wholeList(await listRules(database, org_id)),
    ),
    answer(posture.SwitchExclusionRule, (input) => setRule(deps, input)),
  ];
}

function driftHandlers({ database, cursors }: Dependencies): Endpoint[] {
  return [
    answerJson(posture.ListSnapshots, (input) => {
      const filter = { accountId: input.account_id, status: input.status };
      return pageOf(cursors, "drift-snapshots", input, {
        fetch: ({ from, limit }) =>
          listSnapshots(database.org(input.org_id), filter, { before: from, limit }),
        json,
      });
    }),
    answer(posture.GetSnapshot, async ({ org_id, snapshot_id }) => {
      const snapshot = await getSnapshot(database.org(org_id), snapshot_id);
      if (!snapshot) throw new AppError("not_found", "no such drift snapshot");
      return snapshot;
    }),
    answer(posture.NoteNarrative, async ({ org_id, snapshot_id, narrative }) => {
      const noted = await noteNarrative(database.org(org_id), snapshot_id, narrative);
      if (!noted) throw new AppError("not_found", "no such drift snapshot");
      return {};
    }),
    answerJson(drift.ListDriftChanges, (input) => {
      const { account_id, kind, risk_level, noise, disposition } = input;
      const filter = { accountId: account_id, kind, riskLevel: risk_level, noise, disposition };
      return pageOf<KeyedChange>(cursors, "drift-changes", input, {
        fetch: async ({ from, limit }) =>
          keyed(await listPresent(database.org(input.org_id), filter, { after: from, limit })),
        json: unkeyed,
      });
    }),
    answerJson(drift.ListSnapshotChanges, async (input) => {
      const { org_id, snapshot_id, kind, risk_level, noise } = input;
      const filter = { kind, riskLevel: risk_level, noise };
      const { place } = await findPlace(database.org(org_id), snapshot_id);
      return pageOf<KeyedChange>(cursors, "snapshot-changes", input, {
        fetch: async ({ from: after, limit }) => {
          const page = { filter, window: { after, limit } };
          return place ? keyed(await listWithin(database.org(org_id), place, page)) : [];
        },
        json: unkeyed,
      });
    }),
    answer(drift.DiffSnapshots, (input) => diffSnapshots(database, input)),
    answer(drift.DecideDrift, (input) => decideDrift(database, input)),
  ];
}

/** A change under the key of its place in the list. */
interface KeyedChange {
  id: string;
  change: drift.DriftChange;
}

const keyed = (changes: readonly drift.DriftChange[]): KeyedChange[] =>
  changes.map((change) => ({ id: keyOf(change), change }));
const unkeyed = ({ change }: KeyedChange): string => JSON.stringify(change);

import { cloudOf, hasEnricher } from "@leeway/clouds/clouds";
import type { Input } from "@leeway/shared/contracts/contract";
import type { EnrichResource } from "@leeway/shared/contracts/inventory/resources";
import type { OrgStatements } from "@leeway/shared/database/database";
import { AppError, type ErrorCode } from "@leeway/shared/values/errors";
import { present, type JsonObject } from "@leeway/shared/values/json";

import { ConnectorError, type Enrichment } from "@leeway/connectors/connector";
import { deadlineSignal, isTimeout } from "@leeway/connectors/deadline";
import { openAccount, type ConnectorDependencies } from "../accounts/open-account.ts";
import { redactRead } from "../readers.ts";
import { findResource, withTexts } from "../resources/find-resource.ts";
import type { ResourceDetail } from "../resources/store.ts";
import { enrichmentStep } from "./enrichment-step.ts";
import { keepProperties, markFailed, markNotApplicable } from "./store.ts";

/** Shorter than the contract's timeout, so that the caller gets the reason. */
const DEADLINE_MS = 25_000;

/**
 * Fetches a live resource's properties from its cloud and stores them, redacted, unless there is nothing to fetch.
 * @returns the resource's JSON
 * @throws {AppError} `not_found`, `ambiguous_resource`; `registry_not_configured` if this server can't ask the cloud;
 * `enrichment_failed` with the reason if the resource is the cause; otherwise `internal`
 */
export async function enrichResource(
  deps: ConnectorDependencies,
  { org_id, resource_id }: Input<typeof EnrichResource>,
): Promise<string> {
  const sql = deps.database.org(org_id);
  try {
    const resource = await findResource(sql, resource_id);
    const cloud = cloudOf(resource.provider);
    switch (enrichmentStep(resource.enrichment_status, hasEnricher(cloud))) {
      case "keep":
        return jsonOf(resource);
      case "mark_not_applicable":
        await markNotApplicable(sql, resource);
        return jsonOf(await findResource(sql, resource.id));
      case "fetch":
        return await keep(sql, resource, await fetched(deps, org_id, resource));
    }
  } catch (error) {
    throw pipelineFailure(error);
  }
}

async function fetched(
  deps: ConnectorDependencies,
  orgId: string,
  resource: ResourceDetail,
): Promise<Enrichment> {
  deps.clouds.require(resource.provider); // before its credentials: if both are missing, this error comes first
  const { connector } = await openAccount(deps, orgId, resource.cloud_account_id);
  if (!connector.enrich) throw new Error("the cloud has an enricher, but its connector has none");
  const { provider_resource_id: providerId, provider_type: type, region } = resource;
  return connector.enrich({ providerId, type, ...present({ region }) }, deadlineSignal(DEADLINE_MS));
}

/** Stores the outcome, and returns the stored resource, which another call may have enriched before. */
async function keep(sql: OrgStatements, resource: ResourceDetail, enrichment: Enrichment): Promise<string> {
  if (enrichment.outcome === "enriched") {
    const { provider_type, provider } = resource;
    await keepProperties(
      sql,
      resource,
      await redactRead(sql.orgId, enrichment.properties, { provider_type }, provider),
    );
  } else await markFailed(sql, resource, `${enrichment.reason}: ${enrichment.message}`);
  const now = await findResource(sql, resource.id);
  if (now.enrichment_status === "failed") throw enrichmentFailed(now);
  return jsonOf(now);
}

function enrichmentFailed(resource: ResourceDetail): AppError {
  const reason = resource.enrichment_failure_reason ?? "";
  const fields = { enrichment_failure_reason: reason, resource: JSON.parse(jsonOf(resource)) };
  return new AppError("enrichment_failed", reason, { fields });
}

function jsonOf({ json, properties, redactions, enrichment_failure_reason }: ResourceDetail): string {
  const row: JsonObject = JSON.parse(json);
  return withTexts({ ...row, ...present({ enrichment_failure_reason }) }, { properties, redactions });
}

/** Returns failures that aren't caused by the resource as `internal`, with the reason in our words. */
function pipelineFailure(error: unknown): unknown {
  if (error instanceof AppError && PASSED.has(error.code)) return error;
  if (error instanceof AppError || error instanceof ConnectorError) {
    const code = error instanceof AppError ? error.code : error.failure.code;
    return new AppError("internal", `${code}: ${error.message}`, { cause: error });
  }
  if (!isTimeout(error)) return error;
  const seconds = DEADLINE_MS / 1000;
  const message = `timeout: the cloud didn't answer or throttled requests for ${seconds} seconds`;
  return new AppError("internal", message, { cause: error });
}

const PASSED: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "ambiguous_resource",
  "enrichment_failed",
  "not_found",
  "registry_not_configured",
]);

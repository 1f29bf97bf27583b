import type { ChangeRequest } from "@leeway/shared/contracts/analyzer/change-request";
import type { GetSettlement, RequestedWay } from "@leeway/shared/contracts/analyzer/settlements";
import type { Actor } from "@leeway/shared/contracts/common";
import type { Output } from "@leeway/shared/contracts/contract";
import type { OrgStatements, Row } from "@leeway/shared/database/database";
import { present } from "@leeway/shared/values/json";

interface SettlementRow extends Row {
  how: RequestedWay;
  source_id: string;
  decided_by: Actor;
  decided_at: Date;
  branch: string | null;
  number: number | null;
  url: string | null;
  problem: string | null;
}

/** Returns the settlement of a change, with the request of its source. */
export async function findSettlement(
  sql: OrgStatements,
  fingerprint: string,
): Promise<Output<typeof GetSettlement>> {
  const [row] = await sql<SettlementRow>`
    select s.how, s.source_id, s.decided_by, s.decided_at, b.branch, b.number, b.url, b.problem
      from analyzer.settlements s
      left join analyzer.settlement_branches b on b.org_id = s.org_id and b.source_id = s.source_id
     where s.org_id = ${sql.orgId}
       and s.fingerprint = ${fingerprint}
  `;
  if (!row) return {};
  const { how, source_id, decided_by, decided_at } = row;
  const request = present({ change_request: requestOf(row) });
  return { settlement: { how, source_id, decided_by, decided_at: decided_at.toISOString(), ...request } };
}

/** Branches of older versions have neither a page nor a problem until they are updated. */
function requestOf({ branch, number, url, problem }: SettlementRow): ChangeRequest | undefined {
  if (branch === null || (url === null && problem === null)) return undefined;
  const seen = { branch, ...present({ number: number ?? undefined, url: url ?? undefined }) };
  return problem === null ? { ...seen, status: "unchanged" } : { ...seen, status: "refused", problem };
}

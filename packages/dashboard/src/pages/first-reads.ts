import { startReading } from "../api/queries.ts";
import { TREND_DAYS } from "./posture/trend.tsx";

interface HomeParams {
  params: { orgId: string };
}

/** Starts to read what the start page shows. */
export function readHome({ params: { orgId: id } }: HomeParams): void {
  startReading("GET /orgs/{id}/posture", { params: { id } });
  startReading("GET /orgs/{id}/posture/trend", { params: { id }, query: { days: TREND_DAYS } });
}

interface ChangeParams {
  params: { orgId: string; fingerprint: string };
}

/** Starts to read a change. */
export function readChange({ params: { orgId: id, fingerprint } }: ChangeParams): void {
  startReading("GET /orgs/{id}/drift-changes/{fingerprint}", { params: { id, fingerprint } });
}

import type { Row } from "../../api/client.ts";

export type Schedule = Row<"GET /orgs/{id}/scan-schedules">;

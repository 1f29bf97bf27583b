import type { Row } from "../../api/client.ts";

export type Channel = Row<"GET /orgs/{id}/notification-channels">;

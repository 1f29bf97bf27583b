import type { Answer } from "../../api/client.ts";

export type Movement = Answer<"GET /orgs/{id}/drift-movement">;

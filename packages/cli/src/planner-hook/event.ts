import { randomBytes } from "node:crypto";

import { present, type JsonObject } from "@leeway/shared/values/json";

type Optional<Name extends string> = Record<Name, string | undefined>;

/** Origin of a plan, from the planner's environment or flags. */
export interface About {
  repository: string;
  changeRequest: Optional<"url" | "head_branch" | "base_branch"> & { number: number };
  commitSha: string | undefined;
  author: string | undefined;
  project: Optional<"name" | "dir" | "workspace">;
  status: "success" | "failure";
  tool: string;
  planner: Optional<"name" | "version">;
}

/** Builds the event of one run. Its id is new, so that two identical plans are two events, but retries are one. */
export function planEvent(about: About, now: Date): JsonObject {
  const { repository, changeRequest, commitSha, author, project, status, tool, planner } = about;
  return present({
    event: "plan",
    version: 1,
    event_id: uuidV7(now),
    occurred_at: now.toISOString(),
    repository,
    // Planners use number 0 if there is no change request.
    change_request: changeRequest.number > 0 ? present(changeRequest) : undefined,
    commit_sha: commitSha,
    author,
    project: present(project),
    status,
    tool,
    planner: planner.name === undefined ? undefined : present(planner),
  });
}

/** Generates a UUID version 7 (RFC 9562), which Node.js doesn't offer yet. */
function uuidV7(now: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

import type { JsonObject } from "@leeway/shared/values/json";

/** Creates the body that GitLab sends for a merge request. */
export function mergeRequestBody(attributes: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return {
    object_kind: "merge_request",
    event_type: "merge_request",
    user: { id: 7, name: "Ada", username: "ada" },
    project: {
      id: 31,
      name: "network",
      path_with_namespace: "platform/aws/network",
      web_url: "https://gitlab.example.com/platform/aws/network",
    },
    repository: { name: "network", homepage: "https://gitlab.example.com/platform/aws/network" },
    object_attributes: { ...REQUEST, action: "open", state: "opened", ...attributes },
    ...more,
  };
}

/** Creates the body that GitLab sends for a comment on a merge request. */
export function noteBody(note: string, attributes: JsonObject = {}, more: JsonObject = {}): JsonObject {
  const { project, repository, user } = mergeRequestBody();
  return {
    object_kind: "note",
    event_type: "note",
    user: user ?? null,
    project_id: 31,
    project: project ?? null,
    repository: repository ?? null,
    object_attributes: {
      id: 901,
      note,
      noteable_type: "MergeRequest",
      author_id: 7,
      discussion_id: "6a9c1750b37d513a43987b574953fceb50b03ce7",
      system: false,
      action: "create",
      url: "https://gitlab.example.com/platform/aws/network/-/merge_requests/12#note_901",
      ...attributes,
    },
    merge_request: { ...REQUEST, state: "opened" },
    ...more,
  };
}

const REQUEST: JsonObject = {
  id: 5_001,
  iid: 12,
  title: "Open a port",
  description: "Please look at it",
  source_branch: "open-port",
  target_branch: "main",
  source_project_id: 31,
  target_project_id: 31,
  url: "https://gitlab.example.com/platform/aws/network/-/merge_requests/12",
  last_commit: { id: "0c5f0a1bd95a4d2d1bd3c04f11a5c9a1fd7d2a11", message: "Open a port" },
};

/** Creates the body that Leeway's planner hook sends. */
export function planBody(more: JsonObject = {}): JsonObject {
  return {
    event: "plan",
    version: 1,
    event_id: "0190d6a8-5d2c-7c36-9a3c-0d6d3f0f5c11",
    occurred_at: "2026-05-04T10:00:00Z",
    repository: "platform/network",
    change_request: {
      number: 12,
      url: "https://github.com/platform/network/pull/12",
      head_branch: "open-port",
      base_branch: "main",
    },
    commit_sha: "0c5f0a1bd95a4d2d1bd3c04f11a5c9a1fd7d2a11",
    author: "grace",
    project: { name: "network", dir: "live/network", workspace: "default" },
    status: "success",
    tool: "terraform",
    plan: { format_version: "1.2", terraform_version: "1.8.1", resource_changes: [] },
    planner: { name: "leeway", version: "0.1.0" },
    ...more,
  };
}

/** Creates the body that Atlantis sends after an apply. */
export function applyBody(more: JsonObject = {}): JsonObject {
  return {
    Workspace: "production",
    Repo: { FullName: "platform/network", Owner: "platform", Name: "network", VCSHost: { Type: 0 } },
    Pull: {
      Num: 12,
      HeadCommit: "0c5f0a1bd95a4d2d1bd3c04f11a5c9a1fd7d2a11",
      URL: "https://github.com/platform/network/pull/12",
      HeadBranch: "open-port",
      BaseBranch: "main",
    },
    User: { Username: "ada", Teams: null },
    Success: true,
    Directory: "live/network",
    ProjectName: "",
    ...more,
  };
}

/** Creates the body that Atlantis sends after drift detection. */
export function driftBody(more: JsonObject = {}): JsonObject {
  return {
    repository: "platform/network",
    ref: "main",
    detection_id: "5b1b6bd5-9e57-4ab6-b1c2-2a4cd1c4b8de",
    projects_with_drift: 1,
    total_projects: 1,
    projects: [
      {
        project_name: "",
        path: "live/network",
        workspace: "default",
        has_drift: true,
        to_change: 2,
        summary: "",
      },
    ],
    ...more,
  };
}

/** Encodes a body as it is sent over HTTP. */
export function bytes(body: unknown): Uint8Array {
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}

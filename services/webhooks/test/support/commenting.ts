import { afterAll, afterEach, beforeAll } from "bun:test";

import type { Input, Output } from "@leeway/shared/contracts/contract";
import { PutComment, type CommentTarget } from "@leeway/shared/contracts/webhooks/comments";

import { present } from "@leeway/shared/values/json";

import { startGithub } from "../../../../tests/code-hosts/github.ts";
import { startGitlab } from "../../../../tests/code-hosts/gitlab.ts";
import { startTestWebhooks, type TestWebhooks } from "../kit.ts";

export const VCS = "platform/network";
export const PLANNER = "acme/infra";
export const MARKER = "<!-- leeway:plan:prod -->";

type Parts = Input<typeof PutComment>["parts"];

const partMarker = (number: number): string =>
  number === 1 ? MARKER : MARKER.replace(" -->", ` part ${number} -->`);

export const partsOf = (...texts: string[]): Parts =>
  texts.map((text, index) => {
    const marker = partMarker(index + 1);
    return { marker, body: `${marker}\n${text}` };
  });

export const vcs = (changes: Partial<CommentTarget> = {}): CommentTarget => ({
  source: "vcs",
  repository: VCS,
  number: 7,
  ...changes,
});

export const planner = (changes: Partial<CommentTarget> = {}): CommentTarget => ({
  source: "planner",
  repository: PLANNER,
  number: 7,
  ...changes,
});

/**
 * Starts code hosts and a service that comments on them, for the tests of one file. Comments are cleared after each
 * test.
 */
export function commenting() {
  const gitlab = startGitlab({ projects: [VCS, "platform/other"] });
  const elsewhere = startGitlab({ projects: [VCS] });
  const github = startGithub({ repositories: [PLANNER, "acme/other"] });
  const options = {
    egressAllow: [gitlab.host, elsewhere.host, github.host],
    githubApp: {
      id: github.appId,
      privateKey: github.privateKey,
      apiUrl: github.url,
      owners: new Map([["*", new Set(["acme"])]]),
    },
  };
  let webhooks: TestWebhooks;
  beforeAll(async () => {
    webhooks = await startTestWebhooks(options);
  });
  afterEach(() => {
    gitlab.recover();
    github.recover();
    gitlab.notes.length = 0;
    elsewhere.notes.length = 0;
    github.comments.length = 0;
  });
  afterAll(async () => {
    await webhooks.stop();
    await gitlab.stop();
    await elsewhere.stop();
    await github.stop();
  });

  /** Creates a config for GitLab. */
  const config = (orgId: string, changes: object = {}) =>
    webhooks.newConfig(orgId, {
      source: "vcs",
      api_token: gitlab.issue(),
      provider_base_url: gitlab.url,
      ...changes,
    });
  return {
    gitlab,
    /** Another GitLab with a repository of the same name. */
    elsewhere,
    github,
    options,
    config,
    get webhooks() {
      return webhooks;
    },
    /** Creates an organization that may comment on both hosts. */
    async newOrg(): Promise<{ orgId: string; configId: string; token: string }> {
      const orgId = crypto.randomUUID();
      const token = gitlab.issue();
      const { id } = await config(orgId, { api_token: token });
      return { orgId, configId: id, token };
    },
    put: (
      orgId: string,
      target: CommentTarget,
      parts: Parts,
      formerMarkers?: string[],
    ): Promise<Output<typeof PutComment>> =>
      webhooks.call(PutComment, {
        org_id: orgId,
        target,
        parts,
        ...present({ former_markers: formerMarkers }),
      }),
  };
}

import { expect, test } from "bun:test";
import fc from "fast-check";

import { gitlabPages } from "./gitlab.ts";
import { workflowSteps } from "./workflow-steps.ts";

const URL_OF = "https://leeway.example.com/webhooks/planner/01890a5d-ac96-774b-bcce-b302099a8057";

test("no step contains the secret, and every pipeline step contains the URL", () => {
  for (const { title, code } of workflowSteps(URL_OF, undefined)) {
    expect(code).not.toContain("whsec_");
    if (title !== "Atlantis") expect(code).toContain(URL_OF);
  }
});

test("steps are YAML", () => {
  const steps = workflowSteps(URL_OF, "platform/network").filter(({ file }) => file.includes(".y"));
  expect(steps).toHaveLength(3);
  for (const { code } of steps) expect(Bun.YAML.parse(code)).toBeTruthy();
});

test("the GitLab step runs for merge requests, whose number only they know", () => {
  const code = workflowSteps(URL_OF, undefined).find(({ title }) => title === "GitLab CI")?.code ?? "";
  // https://docs.gitlab.com/ci/pipelines/merge_request_pipelines/
  expect(Bun.YAML.parse(code)).toMatchObject({
    plan: { rules: [{ if: '$CI_PIPELINE_SOURCE == "merge_request_event"' }] },
  });
});

function trialOf(repository: string): string {
  const { code } = workflowSteps(URL_OF, repository).at(-1)!;
  return code.replace(/^read .*$/m, "LEEWAY_WEBHOOK_SECRET=x").replace(/^curl [^]*$/m, 'printf %s "$body"');
}

test("the manual trial sends any repository name and runs nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ minLength: 1 }), async (repository) => {
      fc.pre(!repository.includes("\0"));
      const body: unknown = await Bun.$`bash -c ${trialOf(repository)}`.json();
      expect(body).toMatchObject({ repository, status: "failure" });
    }),
    { numRuns: 10 },
  );
});

test.each([
  ["https://gitlab.com", "a/b c", "https://gitlab.com/a/b%20c/-/settings/access_tokens"],
  [
    "https://git.example.com/gitlab/",
    "",
    "https://git.example.com/gitlab/-/user_settings/personal_access_tokens?name=Leeway&scopes=api",
  ],
])("at %s a token for %j is created at %s", (address, repository, page) => {
  expect(gitlabPages(address, repository).newToken).toBe(page);
});

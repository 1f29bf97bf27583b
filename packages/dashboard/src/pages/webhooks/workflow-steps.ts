/** A step to paste into the configuration of a planner or pipeline. */
export interface WorkflowStep {
  title: string;
  /** File for the step. */
  file: string;
  code: string;
}

/** Returns steps that send plans to `url`. `repository` is set if the webhook accepts events of only one. */
export function workflowSteps(url: string, repository: string | undefined): WorkflowStep[] {
  return [
    { title: "Atlantis", file: "repos.yaml of the server", code: ATLANTIS },
    { title: "GitHub Actions", file: ".github/workflows/plan.yml", code: github(url) },
    { title: "GitLab CI", file: ".gitlab-ci.yml", code: gitlab(url) },
    { title: "Try it by hand", file: "bash or zsh, with curl and openssl", code: byHand(url, repository) },
  ];
}

const ATLANTIS = `repos:
  - id: /.*/
    workflow: leeway
workflows:
  leeway:
    plan:
      steps:
        - init
        - plan
        - show
        - run: leeway planner-hook --soft
`;

const github = (url: string): string => `      - run: terraform plan -input=false -out=plan.bin
      - name: Send the plan to Leeway
        env:
          LEEWAY_WEBHOOK_URL: ${url}
          LEEWAY_WEBHOOK_SECRET: \${{ secrets.LEEWAY_WEBHOOK_SECRET }}
          NUMBER: \${{ github.event.pull_request.number || 0 }}
          PULL_URL: \${{ github.event.pull_request.html_url }}
          COMMIT: \${{ github.event.pull_request.head.sha || github.sha }}
        run: >-
          terraform show -json plan.bin | leeway planner-hook --soft --plan -
          --repository "$GITHUB_REPOSITORY" --pull-number "$NUMBER" --pull-url "$PULL_URL"
          --head-branch "$GITHUB_HEAD_REF" --base-branch "$GITHUB_BASE_REF" --commit "$COMMIT"
`;

const gitlab = (url: string): string => `plan:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    LEEWAY_WEBHOOK_URL: ${url}
    # LEEWAY_WEBHOOK_SECRET: in Settings, CI/CD, Variables; masked and hidden
  script:
    - terraform plan -input=false -out=plan.bin
    - >-
      terraform show -json plan.bin | leeway planner-hook --soft --plan -
      --repository "$CI_MERGE_REQUEST_PROJECT_PATH" --pull-number "$CI_MERGE_REQUEST_IID"
      --pull-url "$CI_MERGE_REQUEST_PROJECT_URL/-/merge_requests/$CI_MERGE_REQUEST_IID"
      --head-branch "$CI_COMMIT_REF_NAME" --base-branch "$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
      --commit "\${CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-$CI_COMMIT_SHA}"
`;

const byHand = (
  url: string,
  repository = "example/trial",
): string => `read -rs LEEWAY_WEBHOOK_SECRET  # paste the secret, then Enter
event_id=$(openssl rand -hex 16 | sed -E 's/(.{8})(.{4}).(.{3}).(.{3})(.{12})/\\1-\\2-4\\3-a\\4-\\5/')
body='{"event":"plan","version":1,"event_id":"'$event_id'","repository":${quoted(repository)},"project":{"name":"trial"},"status":"failure"}'
signature=$(printf %s "$body" | openssl dgst -sha256 -hmac "$LEEWAY_WEBHOOK_SECRET" | sed 's/^.* //')
curl --fail-with-body -H "X-Planner-Signature: sha256=$signature" --data-binary "$body" \\
  '${url.replaceAll("'", "")}'
`;

/** Quotes a text as JSON for a single-quoted shell word. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("'", String.raw`'\''`);
}

/** Groups of operations, in the order of the documentation. */
export const TAGS = [
  { name: "Organizations", description: "Tenants, fully isolated from each other." },
  { name: "Members", description: "People and their roles." },
  { name: "API keys", description: "Keys for programs." },
  { name: "CI identities", description: "CI jobs that call without a key, with id tokens of their host." },
  { name: "Audit log", description: "Changes, with their authors and outcomes." },
  { name: "Cloud accounts", description: "Accounts, projects and subscriptions, and their listings." },
  { name: "IaC sources", description: "States that declare resources." },
  { name: "Scans", description: "Reading the resources of an account." },
  { name: "Scan schedules", description: "Automatic scans." },
  { name: "Resources", description: "Live resources and their declarations." },
  { name: "Posture", description: "Coverage and risk of every account." },
  { name: "Drift", description: "Differences between live resources and code." },
  {
    name: "Views",
    description: "Saved filters of drift and of resources, private or shared with the organization.",
  },
  {
    name: "Rules",
    description: "Rules of the organization, which hide, raise or label changes and findings.",
  },
  { name: "Exclusion rules", description: "Rules that exclude resources from the counts." },
  { name: "Plan analysis", description: "Risks and noise in plans, explained." },
  { name: "Plan noise", description: "Differences in plans that change nothing, and their fixes." },
  { name: "Settings", description: "How plans are rated and commented on." },
  { name: "Language models", description: "The organization's own key for a language model." },
  { name: "Platform model", description: "Usage of the platform's language model." },
  { name: "Webhooks", description: "Events from planners and code hosts, and their outcomes." },
  { name: "Notifications", description: "Channels, and the messages sent to them." },
  {
    name: "Operator",
    description: "For the operator of the installation. Only available if `OPERATOR_TOKEN` is set.",
  },
  { name: "Service", description: "Health of the service." },
];

/** Rules that apply to every operation. */
export const INTRODUCTION = `
Leeway keeps an inventory of the live resources in an organization's clouds and matches them to their declarations in code.

**Authentication.** Send \`Authorization: Bearer\` with an API key (\`leeway_…\`) or a token of the configured OpenID Connect
provider. Permissions are cached for at most one second, so a revoked key is rejected everywhere within one second. The roles
are owner, admin, member and viewer; each includes the rights of those after it. An organization that the caller doesn't belong
to looks like one that doesn't exist (404).

**Requests** are checked in this order: credentials (401), rate limit (429), organization id (400), membership (404), role
(403), the operation's own rate limit (429), parameters (400), body (400). Bodies are JSON of at most 1 MiB, unless an
operation says otherwise. Unknown members in the body are rejected. So are unknown query parameters, and repeated ones unless
they are filters with several values: \`?risk_level=high&risk_level=critical\` lists either, and \`?risk_level=!low\` leaves one
out. Queries and bodies that accept \`account_id\` or \`source_id\` also accept \`cloud_account_id\` or \`iac_source_id\`, the names used in
responses.

**Errors** have \`code\`, \`error\` (same value), \`message\` and \`request_id\`, and some have \`details\`. Clients should
check \`code\`. With \`Accept: application/problem+json\`, errors are problem documents (RFC 9457). A body that isn't valid JSON
or has an unknown member gets \`{"error": "invalid request body: …"}\`.

**Lists** accept \`limit\` and \`cursor\`. They return \`data\`, and while more pages follow, \`next_cursor\` and
\`Link: rel="next"\`. Cursors are opaque and only valid for the same list and filters. Only the list of resources can return a
total, with \`include=total_count\`. With \`Accept: text/csv\` or \`application/x-ndjson\`, a list is streamed whole, without
pages; \`limit\` doesn't matter. In CSV, texts that start with \`=\`, \`+\`, \`-\`, \`@\` or a tab get an apostrophe in front, so that no
spreadsheet calculates them. A connection that breaks off means that the list isn't complete. An organization can have 4 downloads
at a time.

**Retries.** A POST that creates something accepts an \`Idempotency-Key\`. For ${RETENTION.idempotencyKeys.days * 24} hours, the same caller, key and request get
the first response again, with \`Idempotent-Replayed: true\`. A failed or rejected request created nothing, so the same key can
be used to try again, even with a different body. \`Retry-After\` says when to retry.

**Rate limits** use fixed windows of one minute; the limit on new organizations uses days in UTC. Responses report them in
\`RateLimit\` and \`RateLimit-Policy\`. Their 429 has the \`code\` \`rate_limited\`; quotas of the platform's model have their own
codes.

**Versions.** Version 2 only gains fields and endpoints: ignore members that you don't know.
`.trim();
import { RETENTION } from "@leeway/shared/contracts/retention";

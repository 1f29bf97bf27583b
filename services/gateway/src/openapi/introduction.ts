/** The groups of operations, in the order of the documentation. */
export const TAGS = [
  { name: "Organizations", description: "Tenants: nothing is shared between two of them." },
  { name: "Members", description: "People and their roles." },
  { name: "API keys", description: "How programs call." },
  { name: "Audit log", description: "Who changed what, and what became of it." },
  { name: "Cloud accounts", description: "Where resources run, and listings of them." },
  { name: "IaC sources", description: "Where resources are declared, and what of it is live." },
  { name: "Scans", description: "Taking in what runs in an account." },
  { name: "Scan schedules", description: "When accounts are scanned by themselves." },
  { name: "Resources", description: "What runs, and what of it is declared." },
  { name: "Posture", description: "Every account at a glance." },
  { name: "Drift", description: "Results of comparing what runs with what is declared." },
  { name: "Exclusion rules", description: "What is left out of the counts, and why." },
  { name: "Plan analysis", description: "What is dangerous in a plan, what is noise, and what it means." },
  { name: "Plan noise", description: "Differences that plans show though nothing changes, and their fixes." },
  { name: "Settings", description: "How plans are judged." },
  { name: "Language models", description: "The key with which models are called for the organization." },
  { name: "Platform model", description: "How much of the platform's language model is used." },
  { name: "Webhooks", description: "Events of a planner or a code host, and what became of them." },
  { name: "Notifications", description: "Who is told of what, and what became of each message." },
  { name: "Operator", description: "For whoever runs Leeway; there only when `OPERATOR_TOKEN` is set." },
  { name: "Service", description: "Health of the service itself." },
];

/** What holds for every operation. */
export const INTRODUCTION = `
Leeway keeps an inventory of what really runs in an organization's clouds and matches it to what is declared as code.

**Authentication.** \`Authorization: Bearer\` with an API key (\`leeway_…\`) or a token of the configured OpenID Connect
provider. What a key or a person may do is looked up at most once a second: a revoked key is refused everywhere within
a second. Roles are owner, admin, member and viewer; each may do what the next may. An organization that the caller
doesn't belong to looks exactly like one that doesn't exist (404).

**Requests** are checked in this order: credentials (401), rate limit (429), organization id (400), membership (404),
role (403), the operation's own rate limit (429), parameters (400), body (400). Bodies are JSON of at most 1 MiB unless
an operation says otherwise; members that an operation doesn't know are
refused, unknown query parameters are ignored.

**Errors** have \`code\`, \`error\` (the same), \`message\` and \`request_id\`, some also \`details\`. With
\`Accept: application/problem+json\` they are problems (RFC 9457). Dispatch on \`code\`. A body that isn't JSON or has an
unknown member gets \`{"error": "invalid request body: …"}\`.

**Lists** take \`limit\` and \`cursor\`, and answer \`data\` with \`next_cursor\` while there is more, as well as
\`Link: rel="next"\`. Cursors are opaque and good for the list that gave them out. How many there
are in all is told of resources only, for \`include=total_count\`.

**Retries.** A POST that makes something takes an \`Idempotency-Key\`: the same caller, key and request get the first
answer again for 24 hours, with \`Idempotent-Replayed: true\`. What failed or was refused made nothing, and isn't
repeated but tried again, also with another body. \`Retry-After\` says when a refused request may be tried again.

**Rate limits** count in fixed windows of a minute, of organizations that are made of a day in UTC, and are told in \`RateLimit\` and \`RateLimit-Policy\`. Their 429 has
\`code\` \`rate_limited\`; those of the platform's model have codes of their own.

**Changes.** Version 2 changes by addition: ignore members that you don't know.
`.trim();

import type { Endpoint } from "./http/endpoint.ts";
import { analyses } from "./routes/analyses.ts";
import { apiKeys } from "./routes/api-keys.ts";
import { auditLog } from "./routes/audit-log.ts";
import { ciIdentities } from "./routes/ci-identities.ts";
import { ciSignIn } from "./routes/ci-sign-in.ts";
import { cli } from "./routes/cli.ts";
import { cloudAccounts } from "./routes/cloud-accounts.ts";
import { deviceSignIn } from "./routes/device-sign-in.ts";
import { docs } from "./routes/docs.ts";
import { driftChanges } from "./routes/drift-changes.ts";
import { driftDecisions } from "./routes/drift-decisions.ts";
import { driftSettlements } from "./routes/drift-settlements.ts";
import { drift } from "./routes/drift.ts";
import { health } from "./routes/health.ts";
import { iacSources } from "./routes/iac-sources.ts";
import { issuer } from "./routes/issuer.ts";
import { llmConfig } from "./routes/llm-config.ts";
import { llmUsage } from "./routes/llm-usage.ts";
import { mailPages } from "./routes/mail.ts";
import { mcp } from "./routes/mcp.ts";
import { members } from "./routes/members.ts";
import { notificationChannels } from "./routes/notification-channels.ts";
import { planNoise } from "./routes/plan-noise.ts";
import { operator } from "./routes/operator.ts";
import { organizationEvents } from "./routes/organization-events.ts";
import { organizations } from "./routes/organizations.ts";
import { resources } from "./routes/resources.ts";
import { rules } from "./routes/rules.ts";
import { scanSchedules } from "./routes/scan-schedules.ts";
import { scans } from "./routes/scans.ts";
import { settings } from "./routes/settings.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import { views } from "./routes/views.ts";
import { webhookConfigs } from "./routes/webhook-configs.ts";
import { webhookGateway } from "./routes/webhook-gateway.ts";

const DESCRIBED: readonly Endpoint[] = [
  ...organizations,
  ...organizationEvents,
  ...members,
  ...apiKeys,
  ...ciIdentities,
  ...ciSignIn,
  ...deviceSignIn,
  ...auditLog,
  ...cloudAccounts,
  ...iacSources,
  ...scans,
  ...scanSchedules,
  ...resources,
  ...drift,
  ...driftChanges,
  ...driftSettlements,
  ...driftDecisions,
  ...views,
  ...rules,
  ...analyses,
  ...planNoise,
  ...settings,
  ...llmConfig,
  ...llmUsage,
  ...webhookConfigs,
  ...webhookGateway,
  ...notificationChannels,
  ...operator,
  ...issuer,
  ...health,
];

/** Every operation of the API, in the order of its documentation. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...DESCRIBED,
  ...docs(DESCRIBED),
  ...signInRoutes,
  ...mailPages,
  ...cli,
  ...mcp(DESCRIBED),
];

import { AccountClient } from "@aws-sdk/client-account";
import { CloudControlClient } from "@aws-sdk/client-cloudcontrol";
import { CloudTrailClient } from "@aws-sdk/client-cloudtrail";
import type { EC2 } from "@aws-sdk/client-ec2";
import { ResourceExplorer2Client } from "@aws-sdk/client-resource-explorer-2";
import { ResourceGroupsTaggingAPIClient } from "@aws-sdk/client-resource-groups-tagging-api";
import { Route53Client } from "@aws-sdk/client-route-53";
import { S3Client } from "@aws-sdk/client-s3";
import { STSClient } from "@aws-sdk/client-sts";
import { fromTemporaryCredentials } from "@aws-sdk/credential-providers";
import { NodeHttpHandler } from "@smithy/node-http-handler";

import type { CallLimits } from "../connector.ts";
import { type Ask, createAsk } from "./ask.ts";
import type { AccessKey, AssumedRole } from "./aws-credentials.ts";
import { AwsFailure } from "./failure.ts";
import { BoundedTransport } from "./transport.ts";

export interface ClientOptions extends CallLimits {
  credentials: AssumedRole | AccessKey;
  /** Endpoint of all AWS services, for tests and for clouds with AWS-compatible APIs. */
  endpoint?: string;
  /** Key that assumes roles. Defaults to the process's own identity (environment, or the machine's role). */
  identity?: AccessKey;
}

/** Clients for one account: one per service and region, each throttled separately. */
export interface AwsClients {
  /** Region in which the partition's global services are listed. */
  home: string;
  ask: Ask;
  sts: STSClient;
  /** Role that reads the account, if there is one, and the client that assumes it. */
  role?: { arn: string; assumer: STSClient };
  account: AccountClient;
  cloudControl(region: string): CloudControlClient;
  explorer(region: string): ResourceExplorer2Client;
  tagging(region: string): ResourceGroupsTaggingAPIClient;
  trail(region: string): CloudTrailClient;
  ec2(region: string): Promise<EC2>;
  route53(region: string): Route53Client;
  s3(region: string): S3Client;
}

const TIMEOUT_MS = 30_000;
/**
 * Max size of an answer, far above AWS's largest page. 32 concurrent
 * lists, the process's limit, take 800 MB (measured).
 */
const MAX_BYTES = 16 << 20;
const ROLE_SESSION_SECONDS = 3_600;

export function createClients({
  credentials,
  endpoint,
  identity,
  timeoutMs = TIMEOUT_MS,
  maxBytes = MAX_BYTES,
}: ClientOptions): AwsClients {
  const home = homeOf(credentials);
  const common = {
    ...(endpoint !== undefined && { endpoint }),
    // The SDK slows down when AWS throttles, and speeds up again.
    retryMode: "adaptive",
    maxAttempts: 3,
    requestHandler: new BoundedTransport({ timeoutMs, maxBytes }),
  };
  const source = credentialSource(credentials, { ...common, region: home }, identity);
  const sts = new STSClient({ ...common, region: home, credentials: source });
  // This client caches credentials until they expire, so all clients share one session of a role.
  const shared = { ...common, credentials: sts.config.credentials };
  return {
    home,
    ask: createAsk(),
    sts,
    ...("roleArn" in credentials && {
      role: {
        arn: credentials.roleArn,
        assumer: new STSClient({ ...common, region: home, ...(identity && { credentials: identity }) }),
      },
    }),
    account: new AccountClient({ ...shared, region: home }),
    cloudControl: perRegion((region) => new CloudControlClient({ ...shared, region })),
    explorer: perRegion((region) => new ResourceExplorer2Client({ ...shared, region })),
    tagging: perRegion((region) => new ResourceGroupsTaggingAPIClient({ ...shared, region })),
    trail: perRegion((region) => new CloudTrailClient({ ...shared, region })),
    // The module takes 50 MB of memory (measured), so it is loaded only for accounts that read networks.
    ec2: perRegion(async (region) => {
      const { EC2 } = await import("@aws-sdk/client-ec2");
      return new EC2({ ...shared, region });
    }),
    route53: perRegion((region) => new Route53Client({ ...shared, region })),
    s3: perRegion((region) => new S3Client({ ...shared, region, ...objectsBy(timeoutMs, endpoint) })),
  };
}

/**
 * Returns the options for reading objects as streams; the caller limits
 * their size. Custom endpoints have no host name per bucket.
 */
function objectsBy(timeoutMs: number, endpoint: string | undefined) {
  return {
    requestHandler: new NodeHttpHandler({ connectionTimeout: 5_000, requestTimeout: timeoutMs }),
    responseChecksumValidation: "WHEN_REQUIRED" as const,
    forcePathStyle: endpoint !== undefined,
  };
}

type TemporaryOptions = Parameters<typeof fromTemporaryCredentials>[0];

function credentialSource(
  credentials: AssumedRole | AccessKey,
  clientConfig: NonNullable<TemporaryOptions["clientConfig"]>,
  identity: AccessKey | undefined,
) {
  if (!("roleArn" in credentials)) return credentials;
  return fromTemporaryCredentials({
    params: {
      RoleArn: credentials.roleArn,
      ExternalId: credentials.externalId,
      RoleSessionName: "leeway",
      DurationSeconds: ROLE_SESSION_SECONDS,
    },
    ...(identity && { masterCredentials: identity }),
    clientConfig,
  });
}

function homeOf(credentials: AssumedRole | AccessKey): string {
  const [, partition = ""] = "roleArn" in credentials ? credentials.roleArn.split(":", 2) : [];
  return HOMES[partition] ?? "us-east-1";
}

const HOMES: Readonly<Record<string, string>> = {
  "aws-cn": "cn-north-1",
  "aws-eusc": "eusc-de-east-1",
  "aws-us-gov": "us-gov-west-1",
};

function perRegion<T>(open: (region: string) => T): (region: string) => T {
  const opened = new Map<string, T>();
  return (region) => {
    // The region becomes part of a host name.
    if (!/^[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/.test(region))
      throw new AwsFailure(
        { code: "unsupported", message: "the region doesn't exist in AWS" },
        "InvalidRegion",
      );
    const client = opened.get(region) ?? open(region);
    opened.set(region, client);
    return client;
  };
}

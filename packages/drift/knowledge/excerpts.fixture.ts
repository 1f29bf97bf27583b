import type { Argument, Member, Resource } from "./schema.ts";

/** A small part of two schemas of the same type. */
export interface Excerpt {
  type: string;
  /** `name kind` or `name { … }`; `name [] { … }` for a block that can occur several times. */
  args: string;
  /** The same for the cloud's members. */
  members: string;
}

/** Excerpts in our own words, one for each way in which names and kinds differ. */
export const EXCERPTS: Readonly<Record<string, readonly Excerpt[]>> = {
  aws: [
    {
      type: "aws_sqs_queue",
      args: "visibility_timeout_seconds number kms_master_key_id text redrive_allow_policy text fifo_queue switch",
      members:
        "VisibilityTimeout number KmsMasterKeyId text RedriveAllowPolicy json FifoQueue switch Arn text",
    },
    {
      type: "aws_elb",
      args: `idle_timeout number security_groups texts access_logs { bucket text enabled switch interval number }
        listener [] { lb_port number instance_port number ssl_certificate_id text }`,
      members: `ConnectionSettings { IdleTimeout number } SecurityGroups texts
        AccessLoggingPolicy { S3BucketName text Enabled switch EmitInterval number }
        Listeners [] { LoadBalancerPort text InstancePort text SSLCertificateId text }`,
    },
    {
      type: "aws_elasticsearch_domain",
      args: `access_policies text encrypt_at_rest { enabled switch kms_key_id text }
        cluster_config { instance_type text zone_awareness_enabled switch }`,
      members: `AccessPolicies json EncryptionAtRestOptions { Enabled switch KmsKeyId text }
        ElasticsearchClusterConfig { InstanceType text ZoneAwarenessEnabled switch InstanceCount number }`,
    },
  ],
  azure: [
    {
      type: "azurerm_storage_account",
      args: `https_traffic_only_enabled switch min_tls_version text access_tier text
        sas_policy { expiration_period text } custom_domain { name text }`,
      members: `enableHttpsTrafficOnly switch minimumTlsVersion text accessTier text
        sasPolicy { sasExpirationPeriod text } customDomain { name text useSubDomainName switch }`,
    },
    {
      type: "azurerm_application_gateway",
      args: `enable_http2 switch http_listener [] { name text protocol text frontend_port_id text }
        local_authentication_enabled switch`,
      members: `enableHttp2 switch httpListeners [] { name text protocol text frontendPort { id text } }
        disableLocalAuthentication switch`,
    },
  ],
  gcp: [
    {
      type: "google_redis_instance",
      args: "memory_size_gb number tier text persistence_config { rdb_snapshot_period text }",
      members: "memorySizeGb number tier text persistenceConfig { rdbSnapshotPeriod text }",
    },
    {
      type: "google_container_cluster",
      args: `enable_autopilot switch enable_legacy_abac switch default_snat_status { disabled switch }
        guest_accelerator [] { type text count number }`,
      members: `autopilot { enabled switch } legacyAbac { enabled switch }
        networkConfig { defaultSnatStatus { disabled switch } }
        guestAccelerators [] { acceleratorType text acceleratorCount text }`,
    },
  ],
};

/** Reads the arguments of an excerpt. */
export function argumentsOf(text: string): Argument[] {
  return nodesOf(words(text)).map(argumentOf);
}

/** Reads the members of an excerpt. */
export function resourceOf(text: string): Resource {
  return objectOf(nodesOf(words(text)));
}

interface Node {
  name: string;
  kind: string;
  isMany: boolean;
  inner: Node[];
}

function words(text: string): string[] {
  return text.trim().split(/\s+/).toReversed();
}

function nodesOf(rest: string[]): Node[] {
  const found: Node[] = [];
  for (let name = rest.pop(); name !== undefined && name !== "}"; name = rest.pop()) {
    const isMany = rest.at(-1) === "[]";
    if (isMany) rest.pop();
    const kind = rest.pop() ?? "";
    found.push({ name, kind, isMany, inner: kind === "{" ? nodesOf(rest) : [] });
  }
  return found;
}

function argumentOf({ name, kind, isMany, inner }: Node): Argument {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the excerpts above have only these kinds
  const own = kind === "{" ? "block" : (kind as Argument["kind"]);
  return { name, kind: own, isMany, inner: inner.map(argumentOf) };
}

function objectOf(nodes: readonly Node[]): Resource {
  const members = new Map(nodes.map((node) => [node.name, memberOf(node)]));
  return { kind: "object", members: () => members };
}

function memberOf({ kind, isMany, inner }: Node): Member {
  if (kind === "texts") return { kind: "list", element: () => ({ kind: "text" }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the excerpts above have only these kinds
  const member = kind === "{" ? objectOf(inner) : { kind: kind as Member["kind"] };
  return isMany ? { kind: "list", element: () => member } : member;
}

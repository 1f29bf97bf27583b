const NAME = String.raw`[\p{L}_][\p{L}\p{N}_-]*`;
const INDEX = String.raw`(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?`;
const MODULE = String.raw`module\.${NAME}${INDEX}`;
const FILE = String.raw`(?:tf|tfvars|hcl|json|ya?ml|sh|md|py|txt)\b`;

/** Prefixes of resource types. Without them, `root_block_device.encrypted` would look like a resource. */
const PROVIDERS =
  "alicloud archive auth0 aws awscc azapi azuread azuredevops azurerm cloudflare cloudinit consul datadog digitalocean " +
  "docker external fastly github gitlab google grafana hcloud helm http ibm kubectl kubernetes local mongodbatlas mysql " +
  "newrelic nomad null oci okta opentelekomcloud openstack ovh pagerduty postgresql random scaleway snowflake template " +
  "terraform time tls tfe vault vsphere yandex";

/** Cloud resource identifiers. AWS-managed policies are excluded, because they belong to no account. */
const CLOUD_IDS = [
  String.raw`\barn:aws[a-z-]*:(?!iam::aws:)[^\s"'\x60,;()<>]+`,
  String.raw`\b(?:acl|ami|eipalloc|eni|i|igw|lt|nat|pl|rtb|sg|sgr|snap|subnet|tgw|vol|vpc|vpce)-[0-9a-f]{8,17}\b`,
  String.raw`/subscriptions/[^\s"'\x60,;()<>]+`,
  String.raw`(?:[a-z]+\.googleapis\.com/|\bprojects/[\w:.-]+/(?:global|locations|regions|roles|secrets|serviceAccounts|topics|zones)/)[^\s"'\x60,;()<>]+`,
  String.raw`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`,
].join("|");

/** Groups of a match of {@link addressPattern}; `resource` excludes trailing attributes. */
interface Groups {
  resource?: string;
  id?: string;
}

/** Matches Terraform addresses with trailing attributes, and cloud identifiers. */
export function addressPattern(data: string): RegExp {
  const own = Array.from(data.matchAll(/"resource_type":"([a-z][a-z0-9]*)_/gu), ([, prefix = ""]) => prefix);
  const prefixes = [...new Set([...PROVIDERS.split(" "), ...own])].join("|");
  const resource = String.raw`(?:data\.)?(?:${prefixes})_[a-z0-9_-]+\.(?!${FILE})${NAME}${INDEX}`;
  const address = String.raw`(?:${MODULE}\.)*${resource}|${MODULE}(?:\.${MODULE})*`;
  const attributes = String.raw`(?:\.${NAME}${INDEX})*`;
  return new RegExp(
    String.raw`(?<![\p{L}\p{N}_.-])(?<resource>${address})${attributes}|(?<id>${CLOUD_IDS})`,
    "gu",
  );
}

/** Checks whether `text` has an address that isn't in `data` (JSON). */
export function hasForeignAddress(text: string, data: string): boolean {
  for (const { groups } of text.matchAll(addressPattern(data))) {
    const { resource, id }: Groups = groups ?? {};
    const address = resource ?? id?.replace(/[.:!?*/]+$/u, "") ?? "";
    if (!isIn(data, JSON.stringify(address).slice(1, -1))) return true;
  }
  return false;
}

/** Checks whether `address` occurs in `data` as a whole name. */
function isIn(data: string, address: string): boolean {
  for (let at = data.indexOf(address); at >= 0; at = data.indexOf(address, at + 1)) {
    const around = (data[at - 1] ?? "") + (data[at + address.length] ?? "");
    if (!/[\p{L}\p{N}_-]/u.test(around)) return true;
  }
  return false;
}

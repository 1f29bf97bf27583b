import type { CloudAccount } from "./accounts/types.ts";

/** Shell commands that fetch data and push it to Leeway. */
export interface PushCommand {
  title: string;
  code: string;
}

/**
 * Returns commands that list an account and push the listing to `url`, best one first. `$LEEWAY_API_KEY` must hold an
 * admin's key.
 */
export function listingCommands(
  { provider, external_id: externalId }: Pick<CloudAccount, "provider" | "external_id">,
  url: string,
): PushCommand[] {
  const push = `curl -H "Authorization: Bearer $LEEWAY_API_KEY" -T listing.json ${quoted(url)}`;
  const listings = LISTINGS[provider]?.(quoted(externalId)) ?? [["Lines of JSON", LINES]];
  return listings.map(([title, list]) => ({ title, code: `${list} >listing.json\n${push}\n` }));
}

/** Returns commands that fetch a state from its tool and push it to `url`, those of the tool `kind` first. */
export function stateCommands(url: string, kind?: string): PushCommand[] {
  const push = `curl -H "Authorization: Bearer $LEEWAY_API_KEY" -T state.json ${quoted(url)}`;
  const isFirst = ([title]: Listing): boolean => title.toLowerCase() === kind;
  const states = [...STATES.filter(isFirst), ...STATES.filter((state) => !isFirst(state))];
  return states.map(([title, get]) => ({ title, code: `${get} >state.json\n${push}\n` }));
}

type Listing = readonly [title: string, command: string];

const LISTINGS: Readonly<Record<string, ((externalId: string) => Listing[]) | undefined>> = {
  aws: () => [
    [
      "AWS Config",
      "aws configservice select-resource-config --expression 'SELECT *, configuration, supplementaryConfiguration, tags'",
    ],
    ["Resource Explorer", "aws resource-explorer-2 search --query-string '*'"],
  ],
  gcp: (project) => [
    ["Cloud Asset Inventory", `gcloud asset list --project=${project} --content-type=resource --format=json`],
  ],
  azure: (subscription) => [
    [
      "Resource Graph",
      `az graph query -q 'resources | union resourcecontainers' --first 1000 --subscriptions ${subscription}`,
    ],
    ["Resource Manager", `az resource list --subscription ${subscription}`],
  ],
};

const LINES = `printf '%s\\n' \\
  '{"provider_resource_id":"queue-1","provider_type":"acme.queue","region":"eu","name":"jobs"}' \\
  '{"provider_resource_id":"queue-2","provider_type":"acme.queue","region":"eu","name":"mails"}'`;

const STATES: readonly Listing[] = [
  ["Terraform", "terraform state pull"],
  ["OpenTofu", "tofu state pull"],
  ["Pulumi", "pulumi stack export"],
  ["CloudFormation", "aws cloudformation describe-stack-resources --stack-name STACK"],
];

/** Quotes a text as one shell word. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

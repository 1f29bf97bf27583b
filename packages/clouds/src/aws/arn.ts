/** Parts of an Amazon Resource Name. */
export interface Arn {
  service: string;
  /** Empty for global resources and for buckets. */
  region: string;
  /** Twelve digits; empty or `aws` if the resource belongs to no account. */
  account: string;
  resource: string;
}

const PREFIX = /^arn:aws(?:-[a-z-]{1,20})?:/;

/** Parses an ARN of any partition; returns undefined if `text` isn't one. */
export function parseArn(text: string): Arn | undefined {
  if (text !== latest.text) latest = { text, arn: parse(text) };
  return latest.arn;
}

// Account, keys and exclusions parse the same row's ARN in turn.
let latest: { text: string; arn: Arn | undefined } = { text: "", arn: undefined };

function parse(text: string): Arn | undefined {
  const prefix = text.startsWith("arn:aws") ? PREFIX.exec(text) : null;
  if (prefix === null) return undefined;
  const service = prefix[0].length;
  const region = text.indexOf(":", service) + 1;
  const account = region === 0 ? 0 : text.indexOf(":", region) + 1;
  const resource = account === 0 ? 0 : text.indexOf(":", account) + 1;
  if (resource === 0 || resource === text.length || region === service + 1) return undefined;
  return {
    service: text.slice(service, region - 1),
    region: text.slice(region, account - 1),
    account: text.slice(account, resource - 1),
    resource: text.slice(resource),
  };
}

/**
 * Normalizes an AWS identifier: trims it, removes the `:*` (all streams)
 * from a log group's ARN, and turns a queue's URL into its ARN.
 */
export function canonicalId(id: string): string {
  const text = id.trim();
  if (text.startsWith("https://")) return queueArn(text) ?? text;
  return text.endsWith(":*") && text.includes(":log-group:") ? text.slice(0, -2) : text;
}

/** Returns the account in an ARN; undefined for AWS's own resources and those without an account. */
export function accountOf(arn: Arn | undefined): string | undefined {
  return arn !== undefined && isAccountId(arn.account) ? arn.account : undefined;
}

export const ACCOUNT_ID = /^\d{12}$/;

/** Reports whether `text` is an account id. */
export function isAccountId(text: string): boolean {
  return ACCOUNT_ID.test(text);
}

// https://sqs.eu-west-1.amazonaws.com/123456789012/jobs, and the older https://eu-west-1.queue.amazonaws.com/… The
// oldest form, https://queue.amazonaws.com/…, is us-east-1.
const QUEUE_URL =
  /^https:\/\/(?:sqs\.([a-z0-9-]{1,30})|(?:([a-z0-9-]{1,30})\.)?queue)\.amazonaws\.com(?:\.cn)?\/(\d{12})\/([^/]{1,200})$/;

function queueArn(url: string): string | undefined {
  const match = QUEUE_URL.exec(url);
  if (match === null) return undefined;
  const region = match[1] ?? match[2] ?? "us-east-1";
  return `arn:${partition(region)}:sqs:${region}:${match[3]}:${match[4]}`;
}

/** Returns the AWS partition of a region. */
export function partition(region: string): string {
  if (region.startsWith("cn-")) return "aws-cn";
  return region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
}

/** An Amazon Resource Name, taken apart. */
export interface Arn {
  service: string;
  /** Empty for global resources, and for buckets. */
  region: string;
  /** Twelve digits; empty, or the word `aws`, where the resource is in nobody's account. */
  account: string;
  resource: string;
}

const PREFIX = /^arn:aws(?:-[a-z-]{1,20})?:/;

/** The parts of `text`, in any partition; undefined when it is no ARN. */
export function parseArn(text: string): Arn | undefined {
  if (text !== latest.text) latest = { text, arn: parse(text) };
  return latest.arn;
}

// Account, keys and exclusions ask for a row's ARN in turn.
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
 * The one way to write an identifier of AWS: without blanks around it, a log group's ARN without the `:*`
 * that stands for its streams, a queue's URL as its ARN.
 */
export function canonicalId(id: string): string {
  const text = id.trim();
  if (text.startsWith("https://")) return queueArn(text) ?? text;
  return text.endsWith(":*") && text.includes(":log-group:") ? text.slice(0, -2) : text;
}

/** The account that an ARN names; what is AWS's own or nobody's names none. */
export function accountOf(arn: Arn | undefined): string | undefined {
  return arn !== undefined && isAccountId(arn.account) ? arn.account : undefined;
}

/** Whether `text` is the id of an account. */
export function isAccountId(text: string): boolean {
  return /^\d{12}$/.test(text);
}

// https://sqs.eu-west-1.amazonaws.com/123456789012/jobs, and the older https://eu-west-1.queue.amazonaws.com/…,
// where https://queue.amazonaws.com/… is us-east-1.
const QUEUE_URL =
  /^https:\/\/(?:sqs\.([a-z0-9-]{1,30})|(?:([a-z0-9-]{1,30})\.)?queue)\.amazonaws\.com(?:\.cn)?\/(\d{12})\/([^/]{1,200})$/;

function queueArn(url: string): string | undefined {
  const match = QUEUE_URL.exec(url);
  if (match === null) return undefined;
  const region = match[1] ?? match[2] ?? "us-east-1";
  return `arn:${partition(region)}:sqs:${region}:${match[3]}:${match[4]}`;
}

/** The partition of AWS that a region is in. */
export function partition(region: string): string {
  if (region.startsWith("cn-")) return "aws-cn";
  return region.startsWith("us-gov-") ? "aws-us-gov" : "aws";
}

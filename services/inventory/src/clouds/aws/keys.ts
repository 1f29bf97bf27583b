import type { JsonObject } from "@leeway/shared/json";

import type { DeclaredIdentity, DeclaredResource, ListedResource, MatchKey } from "../cloud.ts";
import { type Arn, canonicalId, isAccountId, parseArn } from "./arn.ts";
import { attributeText } from "./attributes.ts";
import { identifiers, idForms } from "./identifiers.ts";
import { isRuleWithoutId, networkRule } from "./network-rules.ts";
import { partialIds, partsOf } from "./partial-ids.ts";
import { otherTypes } from "./rds-family.ts";
import { forms, isNamed, type ResolvedType, resolveType } from "./types.ts";

/** Keys of a live resource, surest first. */
export function liveKeys(resource: ListedResource, account: string): MatchKey[] {
  const { terraform_type, provider_resource_id: id } = resource;
  const type = resolveType(terraform_type ?? resource.provider_type);
  const found = identify(type, idForms(type.entry, id));
  const rule = networkRule(type.key, resource);
  if (rule.id !== undefined) found.ids.push(rule.id);
  const place = {
    account: found.account ?? resource.account ?? account,
    region: resource.region ?? found.region,
  };
  const stack = resource.tags?.["aws:cloudformation:stack-id"];
  const parts = partsOf(type.entry, found.ids, resource);
  const others = otherTypes(resource).map((other) => resolveType(other).key);
  return unique([
    ...identityKeys(type, found, place),
    ...idKeys(type, found),
    ...others.flatMap((other) => found.ids.map((id) => idKey(other, id))),
    ...namedKeys(type, found.ids[0], place.region),
    ...stackKeys(type, stack, resource.tags?.["aws:cloudformation:logical-id"]),
    ...inlineKeys(type, rule.content === undefined ? found.ids : [...found.ids, rule.content]),
    ...partKeys(type, parts, stack === undefined ? ["", "|"] : [""]),
  ]);
}

/** How a declared resource is found among the live ones. */
export function declaredIdentity(resource: DeclaredResource): DeclaredIdentity {
  const { address, type: name, attributes, identity, stack_id: stack } = resource;
  const type = resolveType(name);
  const found = identify(type, identifiers(type.entry, attributes));
  const own = identifyByIdentity(type, identity);
  const place = { account: own.account ?? found.account, region: own.region ?? found.region };
  const parts = partialIds(type.entry, name, found);
  const keys = unique([
    ...identityKeys(type, own, place),
    ...(parts.length > 0 ? [] : idKeys(type, found)),
    ...stackKeys(type, stack, address.slice(address.lastIndexOf(".") + 1)),
    ...namedKeys(
      type,
      naturalName(type, attributes) ?? found.ids[0],
      place.region ?? attributeText(attributes, "region"),
    ),
    ...partKeys(type, parts, [stack === undefined ? "" : "|"]),
  ]);
  const isUnsure = parts.length > 0 || isRuleWithoutId(type.key, [...own.ids, ...found.ids]);
  return { keys, ...withoutAbsent(place), ...(isUnsure && { isUnsure }) };
}

function naturalName({ entry }: ResolvedType, attributes: JsonObject): string | undefined {
  return attributeText(attributes, entry?.name ?? "id");
}

/** The key of the resource of `terraformType` with the native id `id`. */
export function idKey(terraformType: string, id: string): MatchKey {
  return `3:${terraformType}|${id}`;
}

/**
 * The key of a resource that another one declares inline, or that is known by a part only of its id. It ranks below the
 * keys of its standalone form: a state repeats under the parent what standalone resources declare, and those go first.
 */
export function inlineKey(terraformType: string, id: string): MatchKey {
  return `4:${terraformType}|${id}`;
}

interface Place {
  account: string | undefined;
  region: string | undefined;
}

/** What a resource's own identifiers say. */
interface Identified extends Place {
  arns: string[];
  /** Native ids, surest first. */
  ids: string[];
}

const NOTHING: Identified = { arns: [], ids: [], account: undefined, region: undefined };

/** Terraform's identity object: the identifying attributes under their own names, and where the resource is. */
function identifyByIdentity(type: ResolvedType, identity: JsonObject | undefined): Identified {
  if (identity === undefined) return NOTHING;
  const found = identify(type, identifiers(type.entry, identity));
  found.account = attributeText(identity, "account_id") ?? found.account;
  found.region = attributeText(identity, "region") ?? found.region;
  return found;
}

function identify(type: ResolvedType, values: readonly string[]): Identified {
  const found: Identified = { arns: [], ids: [], account: undefined, region: undefined };
  for (const value of values) {
    const id = canonicalId(value);
    // Cloud Control joins identifiers with bars, ARNs among them.
    const arn = id.includes("|") ? undefined : parseArn(id);
    if (arn === undefined) found.ids.push(id);
    else addArn(found, type, id, arn);
  }
  return found;
}

function addArn(found: Identified, type: ResolvedType, text: string, arn: Arn): void {
  if (isAccountId(arn.account)) found.account ??= arn.account;
  if (arn.region !== "") found.region ??= arn.region;
  const native = nativeId(type, arn);
  if (native !== undefined) found.arns.push(text);
  // An ARN of another thing still identifies within the type: a topic's policy has the topic's ARN as its id.
  const id = native ?? text;
  if (id !== "") found.ids.push(id);
}

/** The native id in the resource's own ARN, empty when the ARN has none; undefined when it is another thing's ARN. */
function nativeId({ entry }: ResolvedType, arn: Arn): string | undefined {
  if (entry?.path !== undefined) return forms.idOf(entry, arn);
  return forms.recognize(arn) === undefined ? "" : undefined;
}

function identityKeys(type: ResolvedType, { arns, ids }: Identified, { account, region }: Place): MatchKey[] {
  const id = ids[0] ?? arns[0];
  if (type.entry === undefined || id === undefined || account === undefined) return [];
  return [`1:${type.key}|${account}|${region ?? ""}|${id}`];
}

function idKeys(type: ResolvedType, { arns, ids }: Identified): MatchKey[] {
  return [...arns.map((arn): MatchKey => `2:${arn}`), ...ids.map((id) => idKey(type.key, id))];
}

function namedKeys(type: ResolvedType, name: string | undefined, region: string | undefined): MatchKey[] {
  if (name === undefined || region === undefined || type.entry === undefined || !isNamed(type.entry))
    return [];
  return [`4:${type.key}|${region}|${name}`];
}

function inlineKeys(type: ResolvedType, ids: readonly string[]): MatchKey[] {
  return type.entry?.listed === false ? ids.map((id) => inlineKey(type.key, id)) : [];
}

/**
 * The key of a resource of a CloudFormation stack, which tags it so. Its physical id may be but a part of what tells it
 * from others: of a stage it is the name, and not of which API. What it makes has its tags, and is of another type.
 */
function stackKeys(type: ResolvedType, stack: string | undefined, logicalId: string | undefined): MatchKey[] {
  return stack === undefined || logicalId === undefined ? [] : [idKey(type.key, `${stack}|${logicalId}`)];
}

/** Keys by parts of an id; what a stack is known to have is found so only where nothing is tagged as any stack's. */
function partKeys(type: ResolvedType, parts: readonly string[], prefixes: readonly ("" | "|")[]): MatchKey[] {
  return parts.flatMap((part) => prefixes.map((prefix) => inlineKey(type.key, `${prefix}${part}`)));
}

function unique(keys: MatchKey[]): MatchKey[] {
  return keys.filter((key, index) => keys.indexOf(key) === index);
}

function withoutAbsent({ account, region }: Place): { account?: string; region?: string } {
  return { ...(account !== undefined && { account }), ...(region !== undefined && { region }) };
}

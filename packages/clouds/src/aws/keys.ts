import type { JsonObject } from "@leeway/shared/values/json";

import type { DeclaredIdentity, DeclaredResource, ListedResource, MatchKey } from "../cloud.ts";
import { type Arn, canonicalId, isAccountId, parseArn } from "./arn.ts";
import { attributeText } from "./attributes.ts";
import { identifiers, idForms } from "./identifiers.ts";
import { isRuleWithoutId, networkRule } from "./network-rules.ts";
import { partialIds, partsOf } from "./partial-ids.ts";
import { otherTypes } from "./rds-family.ts";
import { forms, isNamed, type ResolvedType, resolveType } from "./types.ts";

/** Returns the keys of a live resource, most reliable first. */
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

/** Returns the keys, account and region that match a declared resource to a live one. */
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

/** Returns the key of a resource of `terraformType` with the native id `id`. */
export function idKey(terraformType: string, id: string): MatchKey {
  return `3:${terraformType}|${id}`;
}

/**
 * Returns the key of a resource that is declared inline, or for which only a part of the id is known. It ranks below
 * the keys of standalone resources, which a state repeats under the parent and which must match first.
 */
export function inlineKey(terraformType: string, id: string): MatchKey {
  return `4:${terraformType}|${id}`;
}

interface Place {
  account: string | undefined;
  region: string | undefined;
}

/** Identifiers of a resource, and the account and region in them. */
interface Identified extends Place {
  arns: string[];
  /** Native ids, most reliable first. */
  ids: string[];
}

const NOTHING: Identified = { arns: [], ids: [], account: undefined, region: undefined };

/** Reads Terraform's identity object: the identifying attributes, and the account and region. */
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
    // Cloud Control joins identifiers with bars, including ARNs.
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
  // An ARN of something else still identifies within the type: a topic policy's id is the topic's ARN.
  const id = native ?? text;
  if (id !== "") found.ids.push(id);
}

/**
 * Returns the native id in a resource's own ARN, empty if the ARN has none; undefined if the ARN names something else.
 */
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
 * Returns the key of a resource in a CloudFormation stack, from its stack tags. Its physical id may be ambiguous: a
 * stage's is its name without the API. Resources that it creates inherit its tags, but have another type.
 */
function stackKeys(type: ResolvedType, stack: string | undefined, logicalId: string | undefined): MatchKey[] {
  return stack === undefined || logicalId === undefined ? [] : [idKey(type.key, `${stack}|${logicalId}`)];
}

/**
 * Returns keys by parts of an id. A resource declared in a stack matches
 * by parts only if the live one has no stack tag.
 */
function partKeys(type: ResolvedType, parts: readonly string[], prefixes: readonly ("" | "|")[]): MatchKey[] {
  return parts.flatMap((part) => prefixes.map((prefix) => inlineKey(type.key, `${prefix}${part}`)));
}

function unique(keys: MatchKey[]): MatchKey[] {
  return keys.filter((key, index) => keys.indexOf(key) === index);
}

function withoutAbsent({ account, region }: Place): { account?: string; region?: string } {
  return { ...(account !== undefined && { account }), ...(region !== undefined && { region }) };
}

import {
  AnalyzeResult,
  Finding,
  FixResult,
  Narrative,
  NoiseGroup,
  PlannedDrift,
} from "@leeway/shared/contracts/analyzer/analysis";
import { LlmJob } from "@leeway/shared/contracts/analyzer/jobs";
import { AnalyzerSettings, PlanNoise } from "@leeway/shared/contracts/analyzer/noise";
import { Actor } from "@leeway/shared/contracts/common";
import { CloudAccount } from "@leeway/shared/contracts/inventory/accounts";
import { DriftSnapshot, PostureRow, SwitchExclusionRule } from "@leeway/shared/contracts/inventory/posture";
import { LiveResource, LiveResourceDetail } from "@leeway/shared/contracts/inventory/resources";
import { Scan } from "@leeway/shared/contracts/inventory/scans";
import { IacResource, IacSource } from "@leeway/shared/contracts/inventory/sources";
import { ResourceType } from "@leeway/shared/contracts/inventory/types";
import { LlmConfig } from "@leeway/shared/contracts/quota/llm-config";
import { PlanSettings } from "@leeway/shared/contracts/quota/plans";
import { LlmUsage, LlmUsageDay } from "@leeway/shared/contracts/quota/usage";
import { isObject, type Json, type JsonObject } from "@leeway/shared/values/json";
import type { TSchema } from "@sinclair/typebox";

import { ByokDenied, HourlyDenial, JobTaken, PlanDenial } from "../http/job-answer.ts";
import { ApiKey, ApiKeyWithSecret, AuditEntry, Member, OwnOrganization } from "../identity.ts";
import { ErrorBody, InvalidBody, Problem } from "./errors.ts";

/** Schemas of answers, by the name that generated clients use. */
const NAMED: Readonly<Record<string, TSchema>> = {
  Actor,
  AnalyzeResult,
  ApiKey,
  ApiKeyWithSecret,
  AuditEntry,
  ByokDenial: ByokDenied,
  CloudAccount,
  DriftSnapshot,
  Error: ErrorBody,
  ExclusionRule: SwitchExclusionRule.output,
  Finding,
  FixResult,
  HourlyDenial,
  IacResource,
  IacSource,
  InvalidBody,
  LiveResource,
  LiveResourceDetail,
  JobTaken,
  LlmConfig,
  LlmJob,
  LlmUsage,
  LlmUsageDay,
  Member,
  Narrative,
  NoiseGroup,
  Organization: OwnOrganization,
  PlanDenial,
  PlanNoise,
  PlanSettings,
  PlannedDrift,
  PostureRow,
  Problem,
  ResourceType,
  Scan,
  Settings: AnalyzerSettings,
};

/** Names by schema, so that a copy of a named schema is recognized. */
const NAMES = new Map(
  Object.entries(NAMED).map(([name, schema]) => [JSON.stringify(open(plain(schema))), name]),
);

/** Returns the schema of a request, as strict as the check. */
export function requestSchema(schema: TSchema): Json {
  return plain(schema);
}

/**
 * Returns the schema of a response, as references where it has names. It allows unknown members, because later
 * versions may add some.
 */
export function responseSchema(schema: TSchema): Json {
  return refer(open(plain(schema)));
}

/** Returns the named schemas themselves. */
export function namedSchemas(): JsonObject {
  return Object.fromEntries(
    Object.entries(NAMED).map(([name, schema]) => {
      const own = plain(schema);
      return [
        name,
        isObject(own) ? mapValues(name === "InvalidBody" ? own : asObject(open(own)), refer) : own,
      ];
    }),
  );
}

/** Returns the JSON Schema without the keywords of our own checks. */
function plain(schema: TSchema): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a schema without its symbols is JSON
  const json = JSON.parse(JSON.stringify(schema)) as Json;
  return without(json, (object) => omit(object, "errorMessage"));
}

function open(json: Json): Json {
  return without(json, (object) =>
    object["additionalProperties"] === false ? omit(object, "additionalProperties") : object,
  );
}

function without(json: Json, strip: (object: JsonObject) => JsonObject): Json {
  if (Array.isArray(json)) return json.map((item) => without(item, strip));
  return isObject(json) ? mapValues(strip(json), (value) => without(value, strip)) : json;
}

function refer(json: Json): Json {
  const name = NAMES.get(JSON.stringify(json));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  if (Array.isArray(json)) return json.map(refer);
  return isObject(json) ? mapValues(json, refer) : json;
}

function omit(object: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
}

function mapValues(object: JsonObject, map: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}

function asObject(json: Json): JsonObject {
  return isObject(json) ? json : {};
}

import { expect } from "bun:test";

import type { Json, JsonObject } from "@leeway/shared/values/json";

import { classesOfChange } from "./noise.fixture.ts";

/** An attribute of a type before and after. */
export type Case = [fact: string, type: string, before: JsonObject, after: JsonObject];

export const ROLE = "arn:aws:iam::210987654321:role/deployer";
export const GET = { Effect: "Allow", Action: "s3:GetObject", Resource: "*" };

export const json = (value: Json): string => JSON.stringify(value);

/** Builds an attribute that holds a policy. */
export function policy(statement: Json, rest: JsonObject = { Version: "2012-10-17" }): JsonObject {
  return { policy: json({ ...rest, Statement: statement }) };
}

/** Expects one class of noise in both directions. */
export function expectOnly(noiseClass: string, type: string, before: JsonObject, after: JsonObject): void {
  expect(classesOfChange(type, before, after)).toEqual([noiseClass]);
  expect(classesOfChange(type, after, before)).toEqual([noiseClass]);
}

/** Expects no noise in either direction. */
export function expectNone(type: string, before: JsonObject, after: JsonObject): void {
  expect(classesOfChange(type, before, after)).toEqual([]);
  expect(classesOfChange(type, after, before)).toEqual([]);
}

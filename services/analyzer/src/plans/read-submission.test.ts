import { expect, test } from "bun:test";

import { readSubmission } from "./read-submission.ts";

const MANY = 250_001;
const CHANGE = { address: "a.b", type: "a", name: "b", change: { actions: ["update"], before: {} } };

const named = (count: number): object => Object.fromEntries(Array.from({ length: count }, (_, n) => [n, 1]));
const submitted = (plan: object, more: object = {}): Uint8Array =>
  Buffer.from(JSON.stringify({ plan: { format_version: "1.2", ...plan }, ...more }));
const changed = (after: object): object => ({
  resource_changes: [{ ...CHANGE, change: { ...CHANGE.change, after } }],
});

test.each([
  ["a change of more attributes", submitted(changed(named(MANY)))],
  ["a change of more items", submitted(changed({ list: Array.from({ length: MANY }, () => ({})) }))],
  ["more members", submitted(named(MANY))],
  ["more members around it", submitted({}, named(MANY))],
  ["more checks", submitted({ checks: Array.from({ length: MANY }, () => 1) })],
])("a plan with %s than any real plan is refused, because it would expand a hundredfold", (_, bytes) => {
  const refused = { code: "invalid_body", message: expect.stringContaining("more than 250000 parts") };
  expect(() => readSubmission(bytes)).toThrow(expect.objectContaining(refused));
});

test.each(["resource_changes", "resource_drift"])("a plan of more than 50,000 %s is refused", (name) => {
  const of = (count: number) => submitted({ [name]: Array.from({ length: count }, () => CHANGE) });
  expect(readSubmission(of(50_000)).plan).toContain("a.b");
  expect(() => readSubmission(of(50_001))).toThrow(`plan.${name} must have at most 50000 items`);
});

test("unread parts of a plan don't count towards the limit", () => {
  const state = { prior_state: { values: named(MANY) }, ...changed({ a: 1 }) };
  expect(readSubmission(submitted(state)).plan).toContain('"after":{"a":1}');
});

test.each([
  ["format_version", { format_version: "1.2", resource_changes: [CHANGE] }],
  ["plan_format_version", { plan_format_version: "1.2", resource_changes: [] }],
  ["version", { version: 4, terraform_version: "1.9.8", serial: 3, lineage: "x", resources: [] }],
])("a bare plan gets an error that says to send it as plan, next to the unknown %s", (field, plan) => {
  const message = `invalid request body: json: unknown field "${field}"`;
  const hint = expect.stringContaining('send {"plan": …}');
  const refused = expect.objectContaining({ code: "invalid_body", message, fields: { message: hint } });
  expect(() => readSubmission(Buffer.from(JSON.stringify(plan)))).toThrow(refused);
});

test("another unknown field gets only the words of Go's decoder", () => {
  const refused = expect.objectContaining({ code: "invalid_body", fields: undefined });
  expect(() => readSubmission(submitted({}, { format_version: "1.2" }))).toThrow(refused);
});

import type { AnalyzeResult, Finding } from "@leeway/shared/contracts/analyzer/analysis";

import { projectLabel, type AnalysisContext } from "../narrative/context.ts";
import { visible } from "../narrative/markdown.ts";
import { flagText } from "../narrative/rule-texts.ts";
import { failsGate, gateText } from "../risk/gate.ts";
import type { Location, Locations } from "./locations.ts";

/** Writes JUnit XML with a test case for each finding, failed if it fails the gate, and one for the gate. */
export function junitReport(result: AnalyzeResult, context: AnalysisContext, locations?: Locations): string {
  const { findings, gate, risk_profile: profile } = result;
  const failed =
    findings.filter(({ risk_level }) => failsGate(risk_level, gate.fail_on)).length + (gate.passed ? 0 : 1);
  const name = attribute(projectLabel(context.project) ?? "plan");
  const counts = `tests="${findings.length + 1}" failures="${failed}" errors="0" skipped="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="Leeway" ${counts}>`,
    `  <testsuite name="${name}" ${counts}>`,
    ...(profile === undefined ? [] : [`    <properties>${property("risk_profile", profile)}</properties>`]),
    gateCase(result),
    ...findings.map((finding) =>
      findingCase(finding, {
        fails: failsGate(finding.risk_level, gate.fail_on),
        location: locations?.get(finding.address),
      }),
    ),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

/** Writes the gate's test case. Its name is fixed, because code hosts compare cases by name. */
function gateCase(result: AnalyzeResult): string {
  const text = gateText(result);
  const inner = result.gate.passed
    ? `<system-out>${element(text)}</system-out>`
    : `<failure message="${attribute(text)}" type="gate">${element(text)}</failure>`;
  return testCase({ classname: "leeway.gate", name: "gate", inner });
}

function findingCase(
  { rule, flag, risk_level, address, message }: Finding,
  { fails, location }: { fails: boolean; location: Location | undefined },
): string {
  const { why, check } = flagText({ rule, flag });
  const text = `${risk_level}: ${message}\n${why}\n${check}`;
  return testCase({
    classname: `leeway.${flag}`,
    name: `${rule} ${address === "" ? "the plan" : address}`,
    location,
    inner: fails
      ? `<failure message="${attribute(message)}" type="${attribute(risk_level)}">${element(text)}</failure>`
      : `<system-out>${element(text)}</system-out>`,
  });
}

function property(name: string, value: string): string {
  return `<property name="${name}" value="${attribute(value)}"/>`;
}

interface TestCase {
  classname: string;
  name: string;
  inner: string;
  location?: Location | undefined;
}

/** Writes a test case. GitLab links it to its `file`; other readers use `line`, too. */
function testCase({ classname, name, inner, location }: TestCase): string {
  const place = location && ` file="${attribute(location.path)}" line="${location.line}"`;
  const start = `    <testcase classname="${attribute(classname)}" name="${attribute(name)}"${place ?? ""}`;
  return inner === "" ? `${start}/>` : `${start}>${inner}</testcase>`;
}

function attribute(text: string): string {
  return escaped(visible(text));
}

function element(text: string): string {
  return text
    .split("\n")
    .map((line) => escaped(visible(line)))
    .join("\n");
}

/**
 * Escapes text for XML 1.0, which excludes control characters, surrogates (`visible` escapes them), U+FFFE and
 * U+FFFF.
 */
function escaped(text: string): string {
  return text
    .replaceAll(/[\uFFFE\uFFFF]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
}

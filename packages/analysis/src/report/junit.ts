import type { AnalyzeResult, Finding } from "@leeway/shared/contracts/analyzer/analysis";

import { gateText } from "../comment/sections.ts";
import { projectLabel, type AnalysisContext } from "../narrative/context.ts";
import { visible } from "../narrative/markdown.ts";
import { flagText } from "../narrative/rule-texts.ts";
import { failsGate } from "./gate.ts";

/** A test case a finding, failed where the gate fails on it, and one for the gate itself, as JUnit's XML. */
export function junitReport(result: AnalyzeResult, context: AnalysisContext): string {
  const { findings, gate } = result;
  const failed =
    findings.filter(({ risk_level }) => failsGate(risk_level, gate.fail_on)).length + (gate.passed ? 0 : 1);
  const name = attribute(projectLabel(context.project) ?? "plan");
  const counts = `tests="${findings.length + 1}" failures="${failed}" errors="0" skipped="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="Leeway" ${counts}>`,
    `  <testsuite name="${name}" ${counts}>`,
    gateCase(result),
    ...findings.map((finding) => findingCase(finding, failsGate(finding.risk_level, gate.fail_on))),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function gateCase({ gate, errored, risk_level }: AnalyzeResult): string {
  const why = errored ? "The plan failed" : `The risk is ${risk_level}`;
  const text = gateText(gate).replaceAll("*", "");
  const failure = `<failure message="${attribute(why)}" type="gate">${element(text)}</failure>`;
  return testCase({ classname: "leeway.gate", name: text, inner: gate.passed ? "" : failure });
}

function findingCase({ rule, flag, risk_level, address, message }: Finding, fails: boolean): string {
  const { why, check } = flagText({ rule, flag });
  const text = `${risk_level}: ${message}\n${why}\n${check}`;
  return testCase({
    classname: `leeway.${flag}`,
    name: `${rule} ${address === "" ? "the plan" : address}`,
    inner: fails
      ? `<failure message="${attribute(message)}" type="${attribute(risk_level)}">${element(text)}</failure>`
      : `<system-out>${element(text)}</system-out>`,
  });
}

function testCase({ classname, name, inner }: { classname: string; name: string; inner: string }): string {
  const start = `    <testcase classname="${attribute(classname)}" name="${attribute(name)}"`;
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

/** XML 1.0 knows neither controls nor halves of characters (`visible` spells them out) nor U+FFFE and U+FFFF. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\uFFFE\uFFFF]/gu, "\uFFFD")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
}

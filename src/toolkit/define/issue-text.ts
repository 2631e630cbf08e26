// Describes for a model what zod finds wrong with an argument. What was given instead is added after these words.
import type { $ZodIssueInvalidStringFormat, $ZodRawIssue } from "zod/v4/core";

/** The kinds of values that have a size, and the unit of that size. */
const COUNTED: Readonly<Record<string, string>> = {
  string: " characters",
  file: " bytes",
  array: " items",
  set: " items",
  map: " entries",
};

/** Describes one problem. A schema's own error message takes precedence over it. */
export function issueText(issue: $ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `expected ${issue.expected}`;
    case "invalid_value":
      return `expected ${listed(issue.values, " or ")}`;
    case "too_small":
      return sizeText(
        issue.exact ? "exactly" : issue.inclusive ? "at least" : "more than",
        issue.minimum,
        issue.origin,
      );
    case "too_big":
      return sizeText(issue.exact ? "exactly" : issue.inclusive ? "at most" : "less than", issue.maximum, issue.origin);
    case "not_multiple_of":
      return `expected a multiple of ${issue.divisor}`;
    case "invalid_format":
      return `expected ${formText(issue)}`;
    case "unrecognized_keys":
      return `there is no ${listed(issue.keys, ", ")}`;
    case "invalid_union":
      return Array.isArray(issue.options)
        ? `expected ${listed(issue.options, " or ")}`
        : "it matches none of the allowed forms";
    default:
      return "it is not valid";
  }
}

function formText(issue: $ZodRawIssue<$ZodIssueInvalidStringFormat>): string {
  const { format, pattern, prefix, suffix, includes } = issue;
  const part = prefix ?? suffix ?? includes;
  if (part !== undefined) return `a string that ${format.replace("_", " ")} ${JSON.stringify(part)}`;
  return format === "regex" ? `a string that matches ${pattern}` : format;
}

const sizeText = (bound: string, size: number | bigint, of: string): string =>
  `expected ${bound} ${size}${COUNTED[of] ?? ""}`;

const listed = (values: readonly unknown[], joint: string): string =>
  values.map((value) => (typeof value === "bigint" ? `${value}` : JSON.stringify(value))).join(joint);

/** An input of the wrong shape, told field by field. */
import type { z } from "zod";
import { refuse, type Refusal } from "../core/refusals.js";

/** `input_invalid`: one line for each wrong field, as `field: what is wrong`. */
export function invalidInput(name: string, issues: readonly z.core.$ZodIssue[]): Refusal {
  const lines = issues.flatMap(problems);
  const fields = [...new Set(lines.map(({ field }) => field))].join(" ");
  return refuse("input_invalid", lines.map(({ field, what }) => `${field}: ${what}`).join("\n"), {
    function: name,
    fields,
  });
}

interface Problem {
  readonly field: string;
  readonly what: string;
}

function problems(issue: z.core.$ZodIssue): readonly Problem[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({
      field: fieldName([...issue.path, key]),
      what: "is not a field of this input",
    }));
  }
  const missing = issue.input === undefined && issue.path.length > 0;
  const what =
    missing && issue.code === "invalid_type"
      ? `is required (${issue.expected})`
      : missing && (issue.code === "invalid_value" || issue.code === "invalid_union")
        ? "is required"
        : issue.message;
  return [{ field: fieldName(issue.path), what }];
}

function fieldName(path: readonly PropertyKey[]): string {
  return path.length === 0 ? "input" : path.map(String).join(".");
}

/** Verbs that are one function of the action core: send the input, print the answer. */
import { call } from "../call.js";
import { fields, report, table } from "../print.js";

type Row = Readonly<Record<string, unknown>>;

function cell(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" || typeof value === "number" ? value : JSON.stringify(value);
}

/** Asks `name`; an answer that is a list prints as a table of `columns`, any other one as fields. */
export async function askFunction(
  verb: string,
  name: string,
  input: Row,
  options: { readonly json?: boolean | undefined },
  list?: { readonly of: string; readonly columns: readonly string[] },
): Promise<void> {
  const given = Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined),
  );
  report(verb, await call<Row>(name, given), options, (output) => {
    if (list === undefined) {
      const [[, only] = []] = Object.entries(output);
      const single = Object.keys(output).length === 1 && typeof only === "object" && only !== null;
      return fields(single ? (only as Row) : output);
    }
    const rows = output[list.of] as readonly Row[];
    return table({
      columns: list.columns,
      rows: rows.map((row) => list.columns.map((column) => cell(row[column]))),
    });
  });
}

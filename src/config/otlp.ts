// Reads where traces of ended turns are sent, from the variables that OpenTelemetry defines for every exporter.
import { isHttp } from "./addresses.ts";
import type { HeaderTexts } from "./headers.ts";

/** The address that accepts traces as OTLP in JSON, and the headers that it needs, which are mostly keys. */
export interface TraceTarget {
  url: string;
  headers: HeaderTexts;
}

/** Reads both; null: no traces are sent. `headers`: `name=value,name=value`, each value percent-encoded (OpenTelemetry). */
export function readTraceTarget(
  endpoint: string | null,
  headers: string | null,
  problems: string[],
): TraceTarget | null {
  if (endpoint === null) return null;
  if (!isHttp(endpoint))
    problems.push("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address without a password");
  const pairs = (headers ?? "").split(",").filter((pair) => pair.trim() !== "");
  const read = pairs.map((pair) => /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*([\x21-\x7e]*)\s*$/.exec(pair));
  if (read.includes(null)) problems.push("OTEL_EXPORTER_OTLP_HEADERS is not a list of name=value");
  return {
    // The variable is a base address to which each signal adds its own path (OpenTelemetry), but many collectors show the whole address.
    url: endpoint.replace(/(?:\/v1\/traces)?\/*(\?.*)?$/, "/v1/traces$1"),
    headers: Object.fromEntries(read.flatMap((found) => (found ? [[found[1] ?? "", decoded(found[2] ?? "")]] : []))),
  };
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

// Reads a request's body as Discord does: JSON, or multipart with `payload_json` and `files[n]` (docs: reference, "Uploading Files"). Checks
// the envelope, never the fields.
import { type Answer, invalidForm, refuse } from "./errors.ts";
import type { Upload } from "./world.ts";

/** A parsed body. `payload` is undefined if the request had none. */
export interface Body {
  payload: unknown;
  files: Upload[];
}

/** Reads the body, or returns Discord's answer to an unreadable one. */
export async function readBody(request: Request): Promise<Body | Answer> {
  const type = request.headers.get("content-type") ?? "";
  if (type.startsWith("multipart/form-data")) return readMultipart(request);
  const text = await request.text();
  if (text === "") return { payload: undefined, files: [] };
  if (!type.startsWith("application/json"))
    return invalidForm([
      {
        path: ["_misc"],
        code: "CONTENT_TYPE_INVALID",
        message: 'Expected "Content-Type" application/json or multipart.',
      },
    ]);
  return parse(text, []);
}

async function readMultipart(request: Request): Promise<Body | Answer> {
  const form = await request.formData().catch(() => null);
  if (!form) return refuse("invalidJson");
  const files: Upload[] = [];
  let json = "{}";
  for (const [name, value] of form as unknown as Iterable<[string, string | File]>) {
    const index = /^files\[(\d+)\]$/.exec(name)?.[1];
    if (name === "payload_json") json = typeof value === "string" ? value : await value.text();
    else if (index !== undefined && typeof value !== "string")
      files.push({
        index: Number(index),
        filename: value.name,
        contentType: value.type || "application/octet-stream",
        bytes: new Uint8Array(await value.arrayBuffer()),
      });
    else
      return invalidForm([
        { path: [name], code: "LOCAL_UNKNOWN_FIELD", message: "A multipart body has payload_json and files[n] only." },
      ]);
  }
  return parse(json, files);
}

function parse(text: string, files: Upload[]): Body | Answer {
  try {
    return { payload: JSON.parse(text), files };
  } catch {
    return refuse("invalidJson");
  }
}

// The local model's answers to sounds and to requests for pictures: always the same, so that both can be tried without a provider.

/** The transcript of every sound. */
export const SPOKEN = "Roll 3d6, please.";
/** A picture of one red dot. */
const DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

/** Serves `POST …/v1/audio/transcriptions` and `POST …/v1/images/generations`; null for any other request. Rejects for a broken body. */
export async function serveMedia(request: Request): Promise<Response | null> {
  const { pathname } = new URL(request.url);
  if (request.method !== "POST") return null;
  if (pathname.endsWith("/v1/audio/transcriptions")) {
    const file = (await request.formData()).get("file");
    if (file === null || typeof file === "string")
      return Response.json({ error: { message: "There is no file.", param: "file" } }, { status: 400 });
    return Response.json({ text: SPOKEN, usage: { type: "duration", seconds: 2 } });
  }
  if (!pathname.endsWith("/v1/images/generations")) return null;
  const { prompt } = (await request.json()) as { prompt?: unknown };
  if (typeof prompt !== "string" || prompt === "")
    return Response.json({ error: { message: "There is no prompt.", param: "prompt" } }, { status: 400 });
  return Response.json({ created: 0, data: [{ b64_json: DOT }] });
}

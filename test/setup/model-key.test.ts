// The trial of a key, as strict providers see it.
import { expect, it } from "vitest";
import { serve } from "../../src/playground/serve.ts";
import { hostOf, type ModelAccess, providerOf, trimKey, tryModel } from "../../src/setup/model-key.ts";

it.each([
  ["https://api.openai.com/v1", "max_completion_tokens"],
  ["https://api.mistral.ai/v1", "max_tokens"],
  ["https://api.deepseek.com/v1", "max_tokens"],
])(
  "asks %s for a short answer by the only name that it knows; another name would look like a fault of the key",
  async (baseUrl, name) => {
    const sent: Record<string, unknown>[] = [];
    const trial = await tryModel(
      async (_, init) => {
        sent.push(JSON.parse(String(init?.body)));
        return Response.json({ choices: [] });
      },
      { key: "k", baseUrl, model: "m" },
    );
    expect([trial, Object.keys(sent[0] ?? {}).filter((field) => field.startsWith("max_"))]).toEqual([
      { kind: "works" },
      [name],
    ]);
  },
);

/** Tries a model at this address; `answer` receives each request. */
async function attempt(access: Partial<ModelAccess>, answer: (url: string) => Response | Promise<Response>) {
  const sent: { url: string; headers: Headers; body: string }[] = [];
  const trial = await tryModel(
    async (url, init) => {
      sent.push({ url, headers: new Headers(init?.headers), body: String(init?.body) });
      return answer(url);
    },
    { key: "k", baseUrl: "https://model.test/v1", model: "m", ...access },
  );
  return { trial, sent };
}

it("asks Azure as the Worker does: the path before the query, the key in its own header", async () => {
  const baseUrl = "https://x.openai.azure.com/openai/deployments/d?api-version=1";
  const { trial, sent } = await attempt({ baseUrl }, () => Response.json({ choices: [] }));
  expect([trial.kind, sent[0]?.url]).toEqual([
    "works",
    "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1",
  ]);
  expect([sent[0]?.headers.get("api-key"), sent[0]?.headers.get("authorization")]).toEqual(["k", null]);
});

it.each([
  [{ baseUrl: "model.test/v1" }, { kind: "wrong_address", better: null }],
  [{ baseUrl: "" }, { kind: "wrong_address", better: null }],
  [{ key: "sk-ab\u2026" }, { kind: "refused" }],
  [{ key: "sk ab" }, { kind: "refused" }],
])("asks nothing with %j, which no request can have", async (access, trial) => {
  expect(await attempt(access, () => Response.json({}))).toEqual({ trial, sent: [] });
});

it("offers no tool to a provider that is asked without tools", async () => {
  const toolsAt = async (baseUrl: string) => {
    const { sent } = await attempt({ baseUrl }, () => Response.json({ choices: [] }));
    return sent[0]?.body.includes('"tools"');
  };
  expect(await toolsAt("https://api.perplexity.ai")).toBe(false);
  expect(await toolsAt("https://api.openai.com/v1")).toBe(true);
});

it("accepts a model whose thoughts alone are longer than the trial", async () => {
  const message =
    "Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.";
  const error = { message, type: "invalid_request_error", param: null, code: null };
  expect((await attempt({}, () => Response.json({ error }, { status: 400 }))).trial).toEqual({ kind: "works" });
});

it("asks again, as the Worker does, if a refusal teaches how: a model that does not think with tools works", async () => {
  const message =
    "Function tools with reasoning_effort are not supported for gpt-6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
  const efforts: unknown[] = [];
  const trial = await tryModel(
    async (_, init) => {
      const { reasoning_effort: effort } = JSON.parse(String(init?.body)) as Record<string, unknown>;
      efforts.push(effort);
      return effort === "none"
        ? Response.json({ choices: [] })
        : Response.json({ error: { message, param: "reasoning_effort" } }, { status: 400 });
    },
    { key: "k", baseUrl: "https://api.openai.com/v1", model: "gpt-6-luna" },
  );
  expect([trial, efforts]).toEqual([{ kind: "works" }, [undefined, "none"]]);
});

it.each([
  "Function tools with reasoning_effort are not supported for gpt-6.1-sol in /v1/chat/completions. Use /v1/responses.",
  "Unsupported value: 'reasoning_effort' does not support 'none' with this model.",
])("says so if a model of OpenAI accepts no tools, not even without thinking: %j", async (second) => {
  const first = "Function tools with reasoning_effort are not supported for gpt-6.1-sol in /v1/chat/completions.";
  const messages = [first, second];
  const { trial, sent } = await attempt({}, () =>
    Response.json({ error: { message: messages.shift(), param: "reasoning_effort" } }, { status: 400 }),
  );
  expect([trial, sent.length]).toEqual([{ kind: "no_tools" }, 2]);
});

it("asks once if a model can't call tools", async () => {
  const error = { message: "m does not support tools" };
  const { trial, sent } = await attempt({}, () => Response.json({ error }, { status: 400 }));
  expect([trial, sent.length]).toEqual([{ kind: "no_tools" }, 1]);
});

it("treats a connection that breaks during the answer as no answer", async () => {
  const broken = () =>
    new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("ECONNRESET")) }));
  expect((await attempt({}, broken)).trial).toEqual({ kind: "no_answer", text: "ECONNRESET" });
});

it("says why no answer came, which Node's fetch tells in the cause of its error", async () => {
  const cause = new Error("getaddrinfo ENOTFOUND api.opnai.com");
  const { trial } = await attempt({}, () => Promise.reject(new TypeError("fetch failed", { cause })));
  expect(trial).toEqual({ kind: "no_answer", text: cause.message });
});

it.each([
  ["https://model.test/v1/chat/completions", "https://model.test/v1"],
  ["https://model.test/v1/chat/completions?api-version=1", "https://model.test/v1?api-version=1"],
  ["https://model.test", "https://model.test/v1"],
  ["https://model.test/v1/v1", "https://model.test/v1"],
])(
  "finds the address that was meant by %s, even if it is the address of the requests themselves",
  async (baseUrl, better) => {
    const { trial, sent } = await attempt({ baseUrl }, (url) =>
      url.startsWith(better.split("?")[0] ?? "") && url.includes("/v1/models")
        ? Response.json({ data: [] })
        : Response.json({ error: { message: "Not found" } }, { status: 404 }),
    );
    expect([trial, sent.length]).toEqual([{ kind: "wrong_address", better }, 2]);
  },
);

it.each(["{ no JSON", '{"data":[null,{"id":7},{"id":"a"}]}', "[]", ""])(
  "names the models that it can read in the list %j",
  async (list) => {
    const { trial } = await attempt({}, (url) =>
      url.endsWith("/models")
        ? new Response(list)
        : Response.json({ error: { code: "model_not_found", message: "no such model" } }, { status: 404 }),
    );
    expect(trial).toEqual({ kind: "no_model", known: list.includes('a"}') ? ["a"] : [] });
  },
);

it.each([
  [401, "Unauthorized", { kind: "refused" }],
  [402, "", { kind: "no_credit" }],
  [403, "<html>Blocked</html>", { kind: "no_answer", text: "status 403" }],
  [429, "<html>error 1015</html>", { kind: "no_answer", text: "status 429" }],
  [429, "", { kind: "no_answer", text: "status 429" }],
  [404, "", { kind: "wrong_address", better: null }],
  [405, "<html>", { kind: "wrong_address", better: null }],
])("reads the status %i if the answer %j says nothing", async (status, body, trial) => {
  const answer = (url: string) =>
    url.endsWith("/models") ? new Response("", { status: 404 }) : new Response(body, { status });
  expect((await attempt({}, answer)).trial).toEqual(trial);
});

it.each([
  ["sk-or-v1-1", "openrouter.ai"],
  ["gsk_1", "api.groq.com"],
  ["AQ.Ab1", "generativelanguage.googleapis.com"],
  ["AIza1", "generativelanguage.googleapis.com"],
  ["xai-1", "api.x.ai"],
  ["sk-proj-1", "api.openai.com"],
  ["AQ", "api.openai.com"],
])("recognizes %s as a key of %s", (key, host) => {
  expect(hostOf(providerOf(key).baseUrl)).toBe(host);
});

it("takes a key out of what people copy along with it", () => {
  expect(['"gsk_abc"', "'gsk_abc'\n", " `gsk_abc` ", "Bearer gsk_abc", "gsk_abc"].map(trimKey)).toEqual(
    Array(5).fill("gsk_abc"),
  );
});

it("follows no redirect, just as the Worker follows none, because it would carry the key to another server", async () => {
  const heard: string[] = [];
  const other = await serve((request) => {
    heard.push(request.url);
    return Response.json({ choices: [] });
  });
  const moved = (location: string) => Response.json({ location }, { status: 308, headers: { location } });
  const first = await serve(({ url }) => moved(other.url + new URL(url).pathname));
  const trial = await tryModel(fetch, { key: "k", baseUrl: `${first.url}/v1`, model: "m" });
  await Promise.all([first.close(), other.close()]);
  expect([trial, heard]).toEqual([{ kind: "wrong_address", better: `${other.url}/v1` }, []]);
});

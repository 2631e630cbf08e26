import { describe, expect, it } from "vitest";
import { refusalFrom } from "../../../src/discord/rest/refusal.ts";
import { delivery } from "../../support/pump-harness.ts";

describe("a page of a proxy in the place of Discord's answer", () => {
  const page = (status: number) =>
    new Response("<html>Attention required!</html>", {
      status,
      headers: { "Content-Type": "text/html; charset=UTF-8" },
    });

  it.each([401, 403, 404])("with status %i is waited out like an outage", async (status) => {
    const reply = await delivery();
    reply.discord.failNext(3, page(status));
    expect(await reply.finish("Hi")).toEqual({ ok: true });
    expect(reply.reads()).toEqual(["Hi"]);
  });

  it("counts as a fault only where Discord's own refusal would say that something is gone or forbidden", () => {
    expect([400, 401, 403, 404, 413, 500].map((status) => refusalFrom(page(status), "").status)).toEqual([
      400, 502, 502, 502, 413, 500,
    ]);
    const own = Response.json({ code: 10008, message: "Unknown Message" }, { status: 404 });
    expect(refusalFrom(own, '{"code":10008}')).toMatchObject({ status: 404, code: 10008 });
  });
});

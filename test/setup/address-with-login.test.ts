// A model's address with a user name or password in it, or a key in its query: the problem is reported, and none of these is printed.
import { afterEach, beforeEach, expect, it } from "vitest";
import { lostReason } from "../../src/discord/rest/lost-reason.ts";
import { rowNames, unseen, wrong } from "../../src/setup/copy/doctor.ts";
import { failure } from "../../src/setup/copy/setup.ts";
import { shownAddress, tryModel } from "../../src/setup/model-key.ts";
import { runDoctor } from "../../src/setup/run-doctor.ts";
import { runSetup } from "../../src/setup/run-setup.ts";
import { createSetupWorld, MODEL_KEY, type SetupWorld, TOKEN } from "../support/setup-harness.ts";

const FLAGS = { yes: true, name: "parley", newKey: false };
const WITH_LOGIN = "https://juno:hunter2@model.example/v1";
let world: SetupWorld;

beforeEach(() => {
  world = createSetupWorld({ DISCORD_BOT_TOKEN: TOKEN, OPENAI_API_KEY: MODEL_KEY });
});
afterEach(() => world.close());

const examine = () =>
  runDoctor(world.ports, {
    ...FLAGS,
    fix: false,
    json: false,
    url: null,
    channel: null,
    devVars: null,
    node: "24.1.0",
  });

it("ends the setup before anything is deployed, and says what to do", async () => {
  world.variables.OPENAI_BASE_URL = WITH_LOGIN;
  expect(await runSetup(world.ports, FLAGS)).toBe(1);
  expect(world.screen).toContain(`✗ ${failure.addressHasLogin}`);
  expect(world.cloud.workers.size).toBe(0);
  expect(world.screen.join("\n")).not.toContain("hunter2");
  expect(world.sent.filter((line) => line.includes("model.example"))).toEqual([]);
});

it("is reported as a line of the doctor's", async () => {
  expect(await runSetup(world.ports, FLAGS)).toBe(0);
  world.variables.OPENAI_BASE_URL = WITH_LOGIN;
  world.screen.length = 0;
  expect(await examine()).toBe(1);
  expect(world.screen).toContain(`✗ ${rowNames[19]}: ${wrong.addressHasLogin}`);
  expect(world.screen).toContain(`– ${rowNames[17]}: ${unseen.comesAfter(rowNames[19])}`);
  expect(world.screen.join("\n")).not.toContain("hunter2");
});

it.each([
  ["juno:hunter2@model.example/v1", "model.example/v1"],
  ["https://model.example/v1?api-version=1&api-key=hunter2", "https://model.example/v1?api-version=1&api-key=…"],
])("prints no secret part of %s if nothing answers there", async (address, shown) => {
  world.variables.OPENAI_BASE_URL = address;
  world.hosts.set("model.example", () => new Response("", { status: 404 }));
  expect(await runSetup(world.ports, FLAGS)).toBe(1);
  expect(world.screen).toContain(`✗ ${failure.wrongAddress(shown, null)}`);
  world.screen.length = 0;
  await examine();
  expect(world.screen).toContain(`✗ ${rowNames[19]}: ${wrong.modelAddress(shown, null)}`);
  expect(world.screen.join("\n")).not.toContain("hunter2");
});

it("sends nothing to such an address", async () => {
  const send = () => Promise.reject(new Error("nothing may be sent"));
  expect(await tryModel(send, { key: "k", baseUrl: WITH_LOGIN, model: "m" })).toEqual({ kind: "has_login" });
});

it.each([
  ["https://a.example/v1", "https://a.example/v1"],
  ["https://a.example/@juno?to=a@b", "https://a.example/@juno?to=a@b"],
  ["https:juno:hunter2@a.example", "https:a.example"],
  ["https://hun@ter2@a.example/v1", "https://a.example/v1"],
])("shows %s as %s", (address, shown) => {
  expect(shownAddress(address)).toBe(shown);
});

it("leaves an address that Node refuses out of the reason that it gives", async () => {
  const error = await fetch("http://juno:hunter2@127.0.0.1:1/").catch((reason: unknown) => reason);
  expect(lostReason(error)).toBe("Request cannot be constructed from a URL that includes credentials");
});

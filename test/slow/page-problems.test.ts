// A configuration that the bot can't use, as the page reports it in a real browser.
import { expect, it } from "vitest";
import { pageTest } from "../support/page-browser.ts";

const heard: string[] = [];
const at = pageTest({ vars: { MODELS: "[]" }, onProblems: (problems) => heard.push(...problems) });

it("is named above everything, as in the terminal, while the page works", async () => {
  const line = at.page.getByRole("alert").filter({ hasText: "Parley is not configured" });
  await line.waitFor();
  expect(heard).toHaveLength(1);
  expect(await line.innerText()).toContain(heard[0]);
  await at.box.fill("anyone here?");
  await at.page.keyboard.press("Enter");
  await at.messages.getByText("anyone here?").waitFor();
});

it("is not blamed on the Gateway, because /chat would get no answer either", async () => {
  await at.page.getByRole("alert").filter({ hasText: "Parley is not configured" }).waitFor();
  for (const said of ["hello", "are you there?"]) {
    await at.box.fill(`@Parley ${said}`);
    await at.page.keyboard.press("Enter");
    await at.messages.getByText(said).waitFor();
  }
  expect(await at.page.getByText("Ask it with /chat").isVisible()).toBe(false);
});

// What the page at `/` says.
import { expect, it } from "vitest";
import { homeText } from "../../../src/core/copy/health.ts";

it("lists what the configuration is missing, or says that it is set up", () => {
  expect(homeText([])).toMatch(/^Parley is running here and is set up\./);
  expect(homeText(["Set A.", "Set B."])).toMatch(
    /^Parley is running here but is not set up yet:\n- Set A\.\n- Set B\.\n/,
  );
});

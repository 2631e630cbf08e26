import { describe, expect, it } from "vitest";
import {
  mayFollow,
  mayReadAddress,
  needsButton,
  type Taint,
  taintOfParts,
  worstTaint,
} from "../../../src/core/taint/taint.ts";

const KNOWN = "https://example.com/page?id=1";

/** A turn with this taint, whose person asks for the tool `asked`. */
const turn = (level: Taint) => ({
  level,
  isAskedFor: (tool: string) => tool === "asked",
  isKnown: (address: string) => address === KNOWN,
});

describe("a call in a turn", () => {
  const call = (toolName: string, readOnly = false) => ({ toolName, readOnly, address: null });
  it.each([
    ["none", "asked", false],
    ["none", "other", false],
    ["weak", "asked", false],
    ["weak", "other", true],
    ["full", "asked", true],
    ["full", "other", true],
  ] as const)("tainted %s that changes something by the tool %s needs a button: %s", (level, tool, needs) => {
    expect(needsButton(call(tool), turn(level))).toBe(needs);
  });

  it.each(["none", "weak", "full"] as const)("tainted %s that only reads needs no button", (level) => {
    expect(needsButton(call("other", true), turn(level))).toBe(false);
  });
});

describe("an address", () => {
  it.each([
    ["none", "https://anywhere.example/?q=everything", true],
    ["weak", "https://anywhere.example/docs", true],
    ["weak", "https://anywhere.example/docs?q=1", false],
    ["weak", "https://anywhere.example/docs#a", false],
    ["weak", KNOWN, true],
    ["full", "https://anywhere.example/docs", false],
    ["full", KNOWN, true],
    ["full", `${KNOWN}#part`, true],
    ["full", `${KNOWN}&secret=1`, false],
    ["full", "https://EXAMPLE.com:443/page?id=1", true],
    ["full", "http://example.com/page?id=1", false],
    ["full", "no address", true],
    // The platform's parser drops these characters and then reads an address.
    ["full", "h\nttps://anywhere.example/?q=everything", false],
    ["full", "ht\ttp://anywhere.example/?q=everything", false],
    ["full", "\u0001https://anywhere.example/?q=everything", false],
    ["weak", "http\rs://anywhere.example/?q=everything", false],
  ] as const)("in a turn tainted %s: %s may be read: %s", (level, address, may) => {
    expect(mayReadAddress(address, turn(level))).toBe(may);
    const judged = { toolName: "fetch", readOnly: true, address };
    expect(needsButton(judged, turn(level))).toBe(!may);
  });

  it.each([
    ["full", "https://example.com/elsewhere?x=1", true],
    ["full", "https://evil.example/", false],
    ["full", "https://example.com:8443/", false],
    ["full", "https://www.example.com/", false],
    ["weak", "https://evil.example/", true],
    ["weak", "https://evil.example/?x=1", false],
    ["none", "https://evil.example/?x=1", true],
  ] as const)("in a turn tainted %s: a redirect to %s is followed: %s", (level, to, may) => {
    expect(mayFollow("https://example.com/page", to, turn(level))).toBe(may);
  });
});

describe("the taint of a request", () => {
  it("is the worst of its parts", () => {
    expect(taintOfParts([])).toBe("none");
    expect(taintOfParts([{}, { taint: "weak" }, {}])).toBe("weak");
    expect(taintOfParts([{ taint: "full" }, { taint: "weak" }])).toBe("full");
    expect(worstTaint(undefined, "none")).toBe("none");
  });
});

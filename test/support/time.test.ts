import { describe, expect, it } from "vitest";
import { fastTime, TEST_EPOCH } from "./time.ts";

describe("time that runs faster than real time", () => {
  it("passes in proportion to the work, and more slowly than real time for patient callers", () => {
    let wall = 0;
    const time = fastTime(250, () => wall);
    wall += 4;
    expect(time.now() - TEST_EPOCH).toBe(1000);
    expect(time.patient() - TEST_EPOCH).toBe(0);
    wall += 996;
    expect(time.patient() - TEST_EPOCH).toBe(100);
  });

  it("hardly passes for anyone while the whole process is stopped", () => {
    let wall = 0;
    const time = fastTime(250, () => wall);
    wall += 38_000;
    expect(time.now() - TEST_EPOCH).toBe(1000);
    // Discord waits three seconds for a first answer.
    expect(time.patient() - TEST_EPOCH).toBeLessThan(3000);
  });

  it("jumps on both lines", () => {
    const time = fastTime(250, () => 0);
    time.jump(5000);
    expect([time.now(), time.patient()]).toEqual([TEST_EPOCH + 5000, TEST_EPOCH + 5000]);
  });
});

// What parameters require of each other, as data. Calls are checked against these rules, and the tool's description states them in words,
// because a JSON Schema for them would be too much for most models. Rules read values after defaults are filled in.

/** One rule. A parameter counts as given when it is neither missing, null nor an empty text, because models fill in every field. */
export type Rule =
  | { kind: "requires"; when: string; needs: readonly string[] }
  | { kind: "requiresWhen"; when: string; equals: string | number | boolean; needs: readonly string[] }
  | { kind: "mutex"; of: readonly string[] }
  | { kind: "exactlyOne"; of: readonly string[] }
  | { kind: "atLeastOne"; of: readonly string[] };

/** If `when` is given, all of `needs` must be given too. */
export const requires = (when: string, ...needs: string[]): Rule => ({ kind: "requires", when, needs });

/** If `when` has the value `equals`, all of `needs` must be given too. */
export const requiresWhen = (when: string, equals: string | number | boolean, ...needs: string[]): Rule => ({
  kind: "requiresWhen",
  when,
  equals,
  needs,
});

/** At most one of them may be given. */
export const mutex = (...of: string[]): Rule => ({ kind: "mutex", of });

/** Exactly one of them must be given. */
export const exactlyOne = (...of: string[]): Rule => ({ kind: "exactlyOne", of });

/** At least one of them must be given. */
export const atLeastOne = (...of: string[]): Rule => ({ kind: "atLeastOne", of });

/** Returns one sentence per broken rule. */
export function brokenRules(rules: readonly Rule[], params: Readonly<Record<string, unknown>>): string[] {
  return rules.flatMap((rule) => ("of" in rule ? brokenChoice(rule, params) : brokenNeeds(rule, params)));
}

const isGiven = (params: Readonly<Record<string, unknown>>, name: string): boolean => {
  const value = Object.hasOwn(params, name) ? (params[name] ?? "") : "";
  return typeof value !== "string" || value.trim() !== "";
};

function brokenNeeds(rule: Extract<Rule, { when: string }>, params: Readonly<Record<string, unknown>>): string[] {
  const applies = rule.kind === "requires" ? isGiven(params, rule.when) : params[rule.when] === rule.equals;
  const missing = applies ? rule.needs.filter((name) => !isGiven(params, name)) : [];
  return missing.map((name) => `${name}: is required ${describeCondition(rule)}`);
}

function brokenChoice(rule: Extract<Rule, { of: unknown }>, params: Readonly<Record<string, unknown>>): string[] {
  const given = rule.of.filter((name) => isGiven(params, name));
  const tooMany = rule.kind !== "atLeastOne" && given.length > 1;
  const tooFew = rule.kind !== "mutex" && given.length === 0;
  const got = given.length === 0 ? "got none" : `got ${given.join(" and ")}`;
  return tooMany || tooFew ? [`${rule.of.join(", ")}: ${describeRule(rule)} (${got})`] : [];
}

/** Puts the rules into words for the tool's description. Empty if there are no rules. */
export function rulesText(rules: readonly Rule[]): string {
  return rules.map((rule) => `${capitalised(describeRule(rule))}.`).join(" ");
}

/** Returns every parameter that a rule names. */
export function namesInRule(rule: Rule): readonly string[] {
  return "of" in rule ? rule.of : [rule.when, ...rule.needs];
}

function describeRule(rule: Rule): string {
  switch (rule.kind) {
    case "requires":
    case "requiresWhen":
      return `give ${listed(rule.needs)} ${describeCondition(rule)}`;
    case "mutex":
      return `give at most one of ${listed(rule.of)}`;
    case "exactlyOne":
      return `give exactly one of ${listed(rule.of)}`;
    case "atLeastOne":
      return `give at least one of ${listed(rule.of)}`;
  }
}

const describeCondition = (rule: Extract<Rule, { when: string }>): string =>
  rule.kind === "requires" ? `when ${rule.when} is given` : `when ${rule.when} is ${JSON.stringify(rule.equals)}`;

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
